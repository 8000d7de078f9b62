//! Variants: several records for deliveries of the same product.

use appstitch_types::{App, Variant};

/// Describes an app as a variant of the product whose main record has the slug `main`.
pub fn describe_variant(app: &App, main: &str) -> Variant {
    let Distinction { channel, edition, language, major_version } =
        Distinction::between(app.slug.as_str(), main)
            .or_else(|| Distinction::of_token(app.slug.as_str()))
            .unwrap_or_default();
    let major_version = major_version.or_else(|| named_major(app, main));
    Variant {
        slug: app.slug.to_string(),
        name: app.name.clone(),
        is_main: app.slug.as_str() == main,
        channel,
        edition,
        language,
        major_version,
        install_method: app.install_method,
        current_version: app.current_version.clone(),
    }
}

/// The number in the slug that is the major version: at its end, or elsewhere unless the main
/// record's slug also has it. `24` and `2024` are the same one.
fn named_major(app: &App, main: &str) -> Option<String> {
    let slug = app.slug.as_str();
    let at_the_end = numbered(slug).map(|(_, number)| number);
    let Some(version) = &app.current_version else {
        let number = at_the_end.filter(|number| number.parse().is_ok_and(is_like_a_major));
        return number.map(str::to_owned);
    };
    let major = version.split(['.', 'u']).next()?;
    let is_major = |number: &str| number == major || number.strip_prefix("20") == Some(major);
    // `90` is 9.0.
    let digits: String = version.chars().filter(char::is_ascii_digit).collect();
    let begins = |number: &str| number.starts_with(major) && digits.starts_with(number);
    let has_major = |slug: &str| slug.split(|c: char| !c.is_ascii_digit()).any(is_major);
    let is_named = at_the_end.is_some_and(|number| is_major(number) || begins(number))
        || (has_major(slug) && !has_major(main));
    if is_named {
        return Some(major.to_owned());
    }
    // An edition of each year can count its versions in another way.
    let is_in_name =
        |number: &&str| number.parse().is_ok_and(is_year) && app.name.ends_with(*number);
    at_the_end.filter(is_in_name).map(str::to_owned)
}

/// A slug without the number at its end, and the number: `sample` and `10` of `sample10x`.
pub(crate) fn numbered(slug: &str) -> Option<(&str, &str)> {
    let slug = slug.strip_suffix('x').unwrap_or(slug);
    let stem = slug.trim_end_matches(|last: char| last.is_ascii_digit());
    (stem.len() < slug.len()).then(|| slug.split_at(stem.len()))
}

/// Whether a number can be a major version: a small one or a year.
pub(crate) fn is_like_a_major(number: u32) -> bool {
    number < 100 || is_year(number)
}

pub(crate) fn is_year(number: u32) -> bool {
    (2000..2100).contains(&number)
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Distinction {
    channel: Option<String>,
    edition: Option<String>,
    language: Option<String>,
    major_version: Option<String>,
}

const CHANNELS: [&str; 21] = [
    "alpha", "beta", "canary", "deferred", "dev", "developeredition", "eap", "esr", "insider",
    "insiders", "lts", "nightly", "preview", "prod", "rc", "rollingout", "snapshot", "testing",
    "tip", "twilight", "unstable",
];

const EDITIONS: [&str; 23] = [
    "business", "ce", "cn", "community", "edu", "education", "enterprise", "free", "government",
    "gov", "home", "lite", "personal", "plus", "premium", "pro", "professional", "server",
    "standard", "student", "suite", "ultimate", "vdi",
];

/// Editions of the same product for organizations.
const FOR_ORGANIZATIONS: [&str; 6] =
    ["business", "edu", "education", "enterprise", "gov", "government"];

/// Words for how an app is delivered; the install method has the rest. `su` is the standalone updater.
const DELIVERIES: [&str; 20] = [
    "airgap", "app", "apple", "applesilicon", "arm", "arm64", "dmg", "full", "install",
    "installer", "intel", "latest", "offline", "pkg", "su", "universal", "update", "x64", "x86",
    "zip",
];

impl Distinction {
    /// What a slug says beyond the slug of the main record; `None` if it does not start with it, or
    /// if the rest is not understood.
    pub(crate) fn between(slug: &str, main: &str) -> Option<Self> {
        Self::read(rest_after(slug, main)?)
    }

    /// What the end of a cask's token says: `sample@7`, `sample@ptb`.
    fn of_token(slug: &str) -> Option<Self> {
        let (_, end) = slug.split_once('@')?;
        let is_number = !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit());
        let end = Some(end.to_owned());
        Some(if is_number {
            Self { major_version: end, ..Self::default() }
        } else {
            Self { channel: end, ..Self::default() }
        })
    }

    pub(crate) fn into_channel(self) -> Option<String> {
        self.channel
    }

    /// Whether it is only another delivery of the same product. Editions such as `plus` are often
    /// separate products.
    pub(crate) fn is_delivery(&self) -> bool {
        self.edition.as_deref().is_none_or(|edition| FOR_ORGANIZATIONS.contains(&edition))
    }

    /// Reads the words of a slug's end, such as `esrpkg` or `_da`.
    fn read(mut rest: &str) -> Option<Self> {
        let mut found = Self::default();
        while !rest.is_empty() {
            if let Some(language) = language(rest) {
                found.language = Some(language.to_owned());
                return Some(found);
            }
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            if digits > 0 {
                found.major_version = Some(rest[..digits].to_owned());
                rest = &rest[digits..];
                continue;
            }
            if let Some(separated) = rest.strip_prefix(['-', '_', '@', '.', '+']) {
                rest = separated;
                continue;
            }
            let (word, list) = longest_word(rest)?;
            match list {
                Words::Channel => found.channel = Some(word.to_owned()),
                Words::Edition => found.edition = Some(word.to_owned()),
                Words::Delivery => {}
            }
            rest = &rest[word.len()..];
        }
        Some(found)
    }
}

#[derive(Clone, Copy)]
enum Words {
    Channel,
    Edition,
    Delivery,
}

/// The longest known word that a text starts with. `developer-edition` is one word.
fn longest_word(text: &str) -> Option<(&str, Words)> {
    const HYPHENATED: &str = "developer-edition";
    if text.starts_with(HYPHENATED) {
        return Some((&text[..HYPHENATED.len()], Words::Channel));
    }
    let lists = [
        (&CHANNELS[..], Words::Channel),
        (&EDITIONS[..], Words::Edition),
        (&DELIVERIES[..], Words::Delivery),
    ];
    let words = lists.iter().flat_map(|(words, list)| words.iter().map(|word| (*word, *list)));
    let (word, list) =
        words.filter(|(word, _)| text.starts_with(word)).max_by_key(|(word, _)| word.len())?;
    Some((&text[..word.len()], list))
}

/// Labels for the language of the Mac.
const INTERNATIONAL: &str = "intl";

/// A language at the end of a slug: `_da`, `_en-GB`, `_intl`, `intl`.
fn language(rest: &str) -> Option<&str> {
    if rest == INTERNATIONAL {
        return Some(rest);
    }
    let code = rest.strip_prefix('_')?;
    let plain = |text: &str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_alphabetic());
    let is_code = match code.split_once('-') {
        Some((language, region)) => plain(language) && plain(region),
        None => plain(code) || code == INTERNATIONAL,
    };
    is_code.then_some(code)
}

/// The one language that a label with this slug is for.
pub(crate) fn language_of(slug: &str) -> Option<&str> {
    let start = slug.rfind('_')?;
    language(&slug[start..]).filter(|code| *code != INTERNATIONAL)
}

/// The end of a slug after another slug, ignoring separators and case in the common part.
pub(crate) fn rest_after<'a>(slug: &'a str, start: &str) -> Option<&'a str> {
    let mut wanted = start.bytes().filter(u8::is_ascii_alphanumeric).peekable();
    for (position, byte) in slug.bytes().enumerate() {
        let Some(next) = wanted.peek() else { return Some(&slug[position..]) };
        if byte.is_ascii_alphanumeric() {
            if !next.eq_ignore_ascii_case(&byte) {
                return None;
            }
            wanted.next();
        }
    }
    wanted.peek().is_none().then_some("")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(slug: &str, main: &str) -> Option<[Option<String>; 4]> {
        let Distinction { channel, edition, language, major_version } =
            Distinction::between(slug, main)?;
        Some([channel, edition, language, major_version])
    }

    #[test]
    fn the_end_of_a_slug_tells_variants_apart() {
        let some =
            |parts: [&str; 4]| Some(parts.map(|part| (!part.is_empty()).then(|| part.to_owned())));
        assert_eq!(described("sample", "sample"), some(["", "", "", ""]));
        assert_eq!(described("samplepkg", "sample"), some(["", "", "", ""]));
        assert_eq!(described("sampleesrpkg_da", "sample"), some(["esr", "", "da", ""]));
        assert_eq!(described("sampleesrintl", "sample"), some(["esr", "", "intl", ""]));
        assert_eq!(described("sample_en-GB", "sample"), some(["", "", "en-GB", ""]));
        assert_eq!(described("sampleenterprise", "sample"), some(["", "enterprise", "", ""]));
        assert_eq!(described("sample@7", "sample"), some(["", "", "", "7"]));
        assert_eq!(described("samplesuprod", "sample"), some(["prod", "", "", ""]));
        assert_eq!(described("my-sample@beta", "mysample"), some(["beta", "", "", ""]));
        let developer = some(["developer-edition", "", "", ""]);
        assert_eq!(described("sample@developer-edition", "sample"), developer);
    }

    #[test]
    fn a_token_of_another_name_tells_its_channel() {
        let app = |slug: &str| {
            let app = serde_json::json!({"slug": slug, "name": "Sample", "sources": []});
            serde_json::from_value::<App>(app).unwrap()
        };
        let variant = describe_variant(&app("my-sample@ptb"), "yoursample");
        assert_eq!((variant.channel.as_deref(), variant.is_main), (Some("ptb"), false));
        let variant = describe_variant(&app("my-sample@7"), "yoursample");
        assert_eq!((variant.channel, variant.major_version.as_deref()), (None, Some("7")));
        assert!(describe_variant(&app("sample"), "sample").is_main);
    }

    #[test]
    fn a_number_within_the_slug_can_be_the_major_version() {
        let major = |slug: &str, version: &str| {
            let app = serde_json::json!({"slug": slug, "name": "Sample", "sources": [],
                "current_version": version});
            describe_variant(&serde_json::from_value(app).unwrap(), "sample4d").major_version
        };
        assert_eq!(major("vendorsample17kit", "17.0.2").as_deref(), Some("17"));
        assert_eq!(major("vendorsample17kit", "18.0.2"), None);
        assert_eq!(major("vendor4d", "4.0"), None, "the main record has it, too");
        assert_eq!(major("sample4d", "4.0"), None);
        assert_eq!(major("vendorsample2024", "24.1").as_deref(), Some("24"));
        assert_eq!(major("sample10x", "10.0.1").as_deref(), Some("10"));
        assert_eq!(major("sample90x", "9.0.1").as_deref(), Some("9"));
        assert_eq!(major("vendorsample4d365", "4.0"), None, "part of the name");
        assert_eq!(major("vendorsample8kit", "8u502+9").as_deref(), Some("8"));
    }

    #[test]
    fn a_year_in_the_name_is_the_major_version() {
        let app = serde_json::json!({"slug": "my-tax-2025", "name": "My Tax 2025", "sources": [],
            "current_version": "32.1"});
        let variant = describe_variant(&serde_json::from_value(app).unwrap(), "my-tax-2026");
        assert_eq!(variant.major_version.as_deref(), Some("2025"));
    }

    #[test]
    fn without_a_version_a_small_number_is_the_major_version() {
        let major = |slug: &str| {
            let app = serde_json::json!({"slug": slug, "name": "Sample", "sources": []});
            describe_variant(&serde_json::from_value(app).unwrap(), "sample12").major_version
        };
        assert_eq!(major("sample12").as_deref(), Some("12"));
        assert_eq!(major("vendorsample2024").as_deref(), Some("2024"));
        assert_eq!(major("vendorsample365"), None);
    }

    #[test]
    fn a_label_can_be_for_one_language() {
        assert_eq!(language_of("sample_da"), Some("da"));
        assert_eq!(language_of("sample_en-GB"), Some("en-GB"));
        assert_eq!(language_of("sample_intl"), None);
        assert_eq!(language_of("sample"), None);
    }

    #[test]
    fn another_product_is_no_variant() {
        assert_eq!(described("samplefinder", "sample"), None);
        assert_eq!(described("example", "sample"), None);
        assert_eq!(described("sam", "sample"), None);
    }
}
