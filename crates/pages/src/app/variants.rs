//! The other deliveries of the same product.

use appstitch_feeds::encoded;
use appstitch_types::Variant;

use super::{extent::Extent, known::Known};
use crate::address::app_page;

/// Another delivery of the same product.
pub(super) struct VariantRow {
    pub(super) path: String,
    pub(super) slug: String,
    pub(super) name: String,
    pub(super) what: String,
    pub(super) version: Option<String>,
    pub(super) is_this: bool,
}

impl VariantRow {
    pub(super) fn all(known: &Known<'_>, extent: Extent) -> Vec<Self> {
        let variants = known.details.variants.as_deref().unwrap_or_default();
        let row = |variant: &Variant| Self {
            path: app_page(&variant.slug),
            slug: variant.slug.clone(),
            name: variant.name.clone(),
            what: what(variant),
            version: variant.current_version.clone(),
            is_this: variant.slug == known.slug(),
        };
        variants.iter().take(extent.variants).map(row).collect()
    }
}

/// The path that compares the first variants, with this one among them.
pub(super) fn compare_path(known: &Known<'_>) -> String {
    let variants = known.details.variants.as_deref().unwrap_or_default();
    let others = variants.iter().map(|variant| variant.slug.as_str());
    let others = others.filter(|slug| *slug != known.slug()).take(3);
    let slugs: Vec<String> =
        std::iter::once(known.slug()).chain(others).map(|slug| encoded(slug).to_string()).collect();
    format!("/compare?slugs={}", slugs.join(","))
}

/// What distinguishes a variant from the usual delivery.
fn what(variant: &Variant) -> String {
    let main = variant.is_main.then(|| "main".to_owned());
    let major = variant.major_version.as_ref().map(|major| format!("version {major}"));
    let channel = variant.channel.as_deref().map(|channel| in_words(&WORDS, channel));
    let edition = variant.edition.as_deref().map(|edition| in_words(&WORDS, edition));
    let language = variant.language.as_deref().map(language);
    let known = [channel, edition, language];
    let method = variant.install_method.map(|method| method.word().to_owned());
    let parts = main.into_iter().chain(known.into_iter().flatten()).chain(major).chain(method);
    parts.collect::<Vec<_>>().join(", ")
}

/// Words of slugs that people write otherwise.
const WORDS: [(&str, &str); 8] = [
    ("developer-edition", "Developer Edition"),
    ("developeredition", "Developer Edition"),
    ("eap", "early access"),
    ("edu", "education"),
    ("esr", "ESR"),
    ("gov", "government"),
    ("lts", "LTS"),
    ("vdi", "VDI"),
];

/// The languages that slugs end with.
const LANGUAGES: [(&str, &str); 18] = [
    ("da", "Danish"),
    ("de", "German"),
    ("en", "English"),
    ("es", "Spanish"),
    ("fi", "Finnish"),
    ("fr", "French"),
    ("intl", "international"),
    ("it", "Italian"),
    ("ja", "Japanese"),
    ("ko", "Korean"),
    ("nb", "Norwegian"),
    ("nl", "Dutch"),
    ("no", "Norwegian"),
    ("pl", "Polish"),
    ("pt", "Portuguese"),
    ("ru", "Russian"),
    ("sv", "Swedish"),
    ("zh", "Chinese"),
];

fn in_words(words: &[(&str, &str)], word: &str) -> String {
    let known = words.iter().find(|(known, _)| *known == word);
    known.map_or(word, |(_, title)| title).to_owned()
}

/// A language in words: `Danish`, `English (GB)`.
fn language(code: &str) -> String {
    match code.split_once('-') {
        Some((code, region)) => format!("{} ({region})", in_words(&LANGUAGES, code)),
        None => in_words(&LANGUAGES, code),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_written_as_people_write_it() {
        for (code, expected) in
            [("da", "Danish"), ("intl", "international"), ("en-GB", "English (GB)"), ("se", "se")]
        {
            assert_eq!(language(code), expected);
        }
        let channels = ["developeredition", "beta"].map(|channel| in_words(&WORDS, channel));
        assert_eq!(channels, ["Developer Edition", "beta"]);
    }
}
