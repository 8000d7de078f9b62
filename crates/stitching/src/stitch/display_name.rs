//! The name that an app is served under.

use appstitch_text::{normal_name::normal, served};
use appstitch_types::Source;

use super::{Parts, likeness::has_number};
use crate::cask::CaskFacts;

const LABEL: &str = Source::LabelTool.token();
const CASK: &str = Source::CaskCatalog.token();

/// Endings that say nothing in a catalog of Mac apps, in small letters.
const FOR_THE_MAC: [&str; 5] = [" for macos", " for mac", " for mac os x", " for os x", " on os x"];

/// Channels that are short forms.
const ABBREVIATIONS: [&str; 4] = ["eap", "esr", "lts", "rc"];

/// The cask's name, otherwise the label's, otherwise the slug, each with the major version or the
/// channel that the record is for.
pub(super) fn display_name(parts: &Parts<'_>, version: Option<&str>) -> (&'static str, String) {
    let facts = parts.cask.map(|(_, facts)| facts);
    let literals = parts.label.as_ref().map(|(_, literals)| literals);
    let of_label = || literals.and_then(|literals| literals.name());
    let of_cask = facts.and_then(|facts| {
        let name = facts.names.first()?;
        let title = parts.title.map(|title| title.source.title.as_str());
        Some((CASK, spelled(name, facts, title.into_iter().chain(of_label()))))
    });
    let served =
        |(source, name): (&'static str, String)| Some((source, served::text("name", &name).ok()?));
    // A label's name is a file name.
    let of_label = || of_label().map(|name| (LABEL, name.replace('_', " ")));
    let of_slug = || (if literals.is_some() { LABEL } else { CASK }, parts.slug.to_string());
    let found = of_cask.and_then(served).or_else(|| of_label().and_then(served));
    let (source, name) = found.unwrap_or_else(of_slug);
    let missing = major(parts, version).filter(|major| !has_number(&name, major));
    if let Some(named) = missing
        .and_then(|major| of_label().filter(|(_, own)| has_number(own, major)))
        .and_then(served)
    {
        return named;
    }
    match missing.map(str::to_owned).or_else(|| missing_channel(parts, &name)) {
        Some(edition) => (source, format!("{name} {edition}")),
        None => (source, name),
    }
}

/// The channel of the cask, if the name does not say it: `Early Adopter` for `sample@early-adopter`. A
/// label can be for the plain app while its release is that of a channel.
fn missing_channel(parts: &Parts<'_>, name: &str) -> Option<String> {
    let channel = parts.cask?.1.edition.as_deref()?;
    let is_word = |c: char| c.is_ascii_lowercase() || c == '-';
    let is_named = |name: &str| normal(name).contains(&normal(channel));
    let is_of_record = parts.label.is_none() || is_named(parts.slug.as_str());
    if !is_of_record || is_named(name) || !channel.chars().all(is_word) {
        return None;
    }
    let words = channel.split('-').filter(|word| !word.is_empty()).map(|word| {
        let letters = if ABBREVIATIONS.contains(&word) { word.len() } else { 1 };
        format!("{}{}", word[..letters].to_ascii_uppercase(), &word[letters..])
    });
    Some(words.collect::<Vec<_>>().join(" "))
}

/// The cask's name without an ending for the platform. If it is written like a token, it is the
/// app's file name, or what another source calls the app.
fn spelled<'a>(name: &str, facts: &'a CaskFacts, others: impl Iterator<Item = &'a str>) -> String {
    let file = facts.app_name.as_deref().or(facts.removed_app.as_deref());
    let lower = name.to_ascii_lowercase();
    let short = FOR_THE_MAC.iter().find(|ending| lower.ends_with(**ending));
    let short = short.map(|ending| &name[..name.len() - ending.len()]);
    let name = short.filter(|_| file != Some(name)).unwrap_or(name);
    let is_part_of_token = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
    let is_like_token = name.chars().all(is_part_of_token)
        && (name.contains('_') || !name.contains(char::is_uppercase));
    let is_spelling = |other: &str| {
        normal(other) == normal(name) && other.contains(char::is_uppercase) && !other.contains('_')
    };
    // Of several names, the first one can be written in the letters of tokens.
    let is_better = |other: &&str| is_spelling(other) || facts.names.iter().any(|own| own == other);
    // The file has the vendor's own spelling, even if that is in small letters.
    let mut others = file.into_iter().chain(others.filter(|_| file.is_none()));
    others.find(is_better).filter(|_| is_like_token).unwrap_or(name).to_owned()
}

/// The major version that a record is limited to: that of the cask's token, or the number at the end
/// of a label's name that no current cask belongs to.
fn major<'a>(parts: &'a Parts<'_>, version: Option<&str>) -> Option<&'a str> {
    let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let of_cask = || parts.cask?.1.edition.as_deref();
    let of_label = || {
        let slug = parts.label.as_ref().filter(|_| parts.cask.is_none())?.0.slug.as_str();
        let start = slug.trim_end_matches(|last: char| last.is_ascii_digit()).len();
        let is_major = version?.split('.').next() == Some(&slug[start..]);
        is_major.then_some(&slug[start..])
    };
    of_cask().or_else(of_label).filter(is_number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        Documents,
        stitch::tests::{all, cask, label},
    };

    fn spelled_as(name: &str, file: &str, other: &str) -> String {
        let entry = json!({"artifacts": [{"app": [file]}]});
        let facts = CaskFacts::of(entry.as_object().unwrap());
        spelled(name, &facts, [other].into_iter())
    }

    #[test]
    fn a_token_is_no_name_if_the_file_has_one() {
        assert_eq!(spelled_as("my-sample", "My Sample.app", ""), "My Sample");
        assert_eq!(spelled_as("my_sample", "My Sample.app", ""), "My Sample");
        assert_eq!(spelled_as("sample", "sample.app", "Sample"), "sample", "the vendor's spelling");
        assert_eq!(spelled_as("s.ample", "Sample.app", ""), "s.ample");
        assert_eq!(spelled_as("sample", "", "Sample"), "Sample", "only another source knows");
        assert_eq!(spelled_as("sample", "Other.app", ""), "sample");
        let entry = json!({"name": ["sample", "例子"], "artifacts": [{"app": ["例子.app"]}]});
        let facts = CaskFacts::of(entry.as_object().unwrap());
        assert_eq!(spelled("sample", &facts, std::iter::empty()), "例子");
    }

    fn name_of(slug: &str, label_name: Option<&str>, token: &str) -> String {
        let cask = cask(
            token,
            json!({"token": token, "name": ["Vendor Kit"], "version": "17.0.2",
                "url": "https://example.com/kit.pkg", "artifacts": [{"pkg": ["kit.pkg"]}]}),
        );
        let own = label_name.map(|name| {
            label(
                slug,
                json!({"name": name, "type": "pkg", "appNewVersion": "17.0.2",
                "downloadURL": "https://example.com/kit.pkg"}),
            )
        });
        let labels = own.into_iter().collect();
        let documents = Documents { labels, casks: vec![cask], ..Documents::default() };
        let mut apps = all(&documents);
        assert_eq!(apps.len(), 1, "{slug} and {token} are one app");
        apps.remove(0).record.app.name
    }

    #[test]
    fn the_major_version_or_the_channel_is_part_of_the_name() {
        assert_eq!(name_of("", None, "vendor-kit@17"), "Vendor Kit 17");
        assert_eq!(name_of("vendorkit17", Some("Vendor Kit"), "vendor-kit@17"), "Vendor Kit 17");
        assert_eq!(name_of("vendorkit17", Some("The Kit 17"), "vendor-kit@17"), "The Kit 17");
        assert_eq!(name_of("", None, "vendor-kit@early-esr"), "Vendor Kit Early ESR");
        assert_eq!(name_of("", None, "vendor-kit@lt20"), "Vendor Kit");
        assert_eq!(
            name_of("vendorkitbeta", Some("Vendor Kit"), "vendor-kit@beta"),
            "Vendor Kit Beta"
        );
    }

    #[test]
    fn the_platform_is_no_part_of_the_name() {
        assert_eq!(spelled_as("Sample for Mac", "Sample.app", ""), "Sample");
        assert_eq!(spelled_as("Sample For Mac OS X", "Sample.app", ""), "Sample");
        assert_eq!(spelled_as("Sample for macOS", "Sample for macOS.app", ""), "Sample for macOS");
    }
}
