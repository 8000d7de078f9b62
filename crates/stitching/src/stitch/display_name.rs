//! The name that an app is served under.

use std::collections::BTreeMap;

use appstitch_text::{normal_name::normal, served};
use appstitch_types::Source;

use super::{
    Parts,
    agreed_name::Others,
    likeness::{differ_by_a_letter, has_number, has_words_of},
};
use crate::{
    cask::{CaskFacts, plain_token},
    variant::is_like_a_major,
};

const LABEL: &str = Source::LabelTool.token();
const CASK: &str = Source::CaskCatalog.token();

/// Endings that say nothing in a catalog of Mac apps, in small letters.
const FOR_THE_MAC: [&str; 7] =
    [" for macos", " for mac", " for mac os x", " for os x", " on os x", " (macos)", "-osx"];

/// How many recipes must agree on capital letters that the label does not write.
const AGREEING: usize = 2;

/// Channels that are short forms.
const ABBREVIATIONS: [&str; 4] = ["eap", "esr", "lts", "rc"];

/// The cask's name, otherwise the label's, otherwise the slug, each with the major version or the
/// channel that the record is for.
pub(super) fn display_name(parts: &Parts<'_>, version: Option<&str>) -> (&'static str, String) {
    let literals = parts.label.as_ref().map(|(_, literals)| literals);
    let of_label = || literals.and_then(|literals| literals.name());
    let of_cask = parts.cask.and_then(|(cask, facts)| {
        let title = parts.title.map(|title| title.source.title.as_str());
        let others = || title.into_iter().chain(of_label());
        let name = facts.names.first()?;
        let right = others().find(|other| is_misspelled(name, &cask.token, other));
        let name = spelled(right.unwrap_or(name), facts, others());
        let agreed = Others::of(parts).and_then(|others| others.correct(&name).map(str::to_owned));
        let source = if agreed.is_some() && agreed.as_deref() == of_label() { LABEL } else { CASK };
        Some((source, agreed.unwrap_or(name)))
    });
    let served =
        |(source, name): (&'static str, String)| Some((source, served::text("name", &name).ok()?));
    let of_label = || of_label().map(|name| (LABEL, label_name(name, parts)));
    let of_slug = || (if literals.is_some() { LABEL } else { CASK }, parts.slug.to_string());
    let found = of_cask.and_then(served).or_else(|| of_label().and_then(served));
    let (source, name) = found.unwrap_or_else(of_slug);
    let missing = major(parts, version, &name).filter(|major| !has_number(&name, major));
    if let Some(named) = missing
        .and_then(|major| of_label().filter(|(_, own)| has_number(own, major)))
        .and_then(served)
    {
        return named;
    }
    if let Some(named) =
        of_label().and_then(served).filter(|(_, own)| adds_major(own, &name, parts))
    {
        return named;
    }
    match missing.map(str::to_owned).or_else(|| missing_channel(parts, &name)) {
        Some(edition) => (source, format!("{name} {edition}")),
        None => (source, name),
    }
}

/// Whether a label's name says more than the cask's only by a major version within it, which the app's
/// file and the slug have, too: `Sample 12 Lite` beside `Sample Lite`. At the end, it is often omitted.
fn adds_major(own: &str, name: &str, parts: &Parts<'_>) -> bool {
    let Some(file) = parts.cask.and_then(|(_, facts)| facts.app_name.as_deref()) else {
        return false;
    };
    let (added, others): (Vec<&str>, Vec<&str>) =
        own.split_whitespace().partition(|word| word.parse().is_ok_and(is_like_a_major));
    let [major] = added[..] else { return false };
    !own.ends_with(major)
        && others.into_iter().eq(name.split_whitespace())
        && normal(file) == normal(own)
        && has_number(&normal(parts.slug.as_str()), major)
}

/// Whether a cask's name differs by a letter from its token, which another source's name agrees with.
fn is_misspelled(name: &str, token: &str, other: &str) -> bool {
    let token = normal(plain_token(token));
    normal(other) == token && differ_by_a_letter(&normal(name), &token)
}

/// A name without an ending for the platform.
fn without_platform(name: &str) -> &str {
    let lower = name.to_ascii_lowercase();
    let ending = FOR_THE_MAC.iter().find(|ending| lower.ends_with(**ending));
    ending.map_or(name, |ending| &name[..name.len() - ending.len()])
}

/// The name of a label is that of a file: it can be one word where the app has several, be written in
/// small letters, or be only the beginning of the name. Other sources then have the better spelling.
fn label_name(name: &str, parts: &Parts<'_>) -> String {
    let name = without_platform(name).replace('_', " ");
    let title = parts.title.map(|title| title.source.title.as_str());
    let is_whole =
        |title: &&str| normal(title) == normal(parts.slug.as_str()) && has_words_of(title, &name);
    if let Some(title) = title.filter(is_whole) {
        return title.to_owned();
    }
    let recipes = parts.recipes.iter().flat_map(|index| &index.recipes);
    let recipes = recipes.filter_map(|recipe| recipe.name.as_deref());
    let is_repeated =
        |name: &&str| recipes.clone().filter(|other| other == name).count() >= AGREEING;
    let blanks = |text: &str| text.matches(' ').count();
    let says_more = |other: &&str| {
        blanks(other) > blanks(&name) && normal(other) != normal(&name) && is_whole(other)
    };
    if let Some(named) = recipes.clone().filter(says_more).find(is_repeated) {
        return named.to_owned();
    }
    let mut spellings: BTreeMap<&str, usize> = BTreeMap::new();
    for other in recipes.chain(title).filter(|other| normal(other) == normal(&name)) {
        *spellings.entry(other).or_default() += 1;
    }
    let is_separated = |text: &str| text.contains([' ', '.']);
    let is_small = !name.contains(char::is_uppercase);
    let is_better = |(other, count): &(&str, usize)| {
        is_separated(other)
            || (is_small && *count >= AGREEING && other.contains(char::is_uppercase))
    };
    if !name.chars().all(char::is_alphanumeric) || spellings.contains_key(name.as_str()) && is_small
    {
        return name;
    }
    let better = spellings.into_iter().filter(is_better);
    let best = better.max_by_key(|(other, count)| (is_separated(other), *count));
    best.map_or(name, |(other, _)| other.to_owned())
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
    let short = without_platform(name);
    let name = if file == Some(name) { name } else { short };
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
fn major<'a>(parts: &'a Parts<'_>, version: Option<&str>, name: &str) -> Option<&'a str> {
    let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let of_cask = || parts.cask?.1.edition.as_deref();
    let of_label = || {
        let slug = parts.label.as_ref().filter(|_| parts.cask.is_none())?.0.slug.as_str();
        let start = slug.trim_end_matches(|last: char| last.is_ascii_digit()).len();
        let number = &slug[start..];
        let is_major = match version {
            Some(version) => version.split('.').next() == Some(number),
            // Nothing but the slug says it, so the rest of the slug must be the name.
            None => {
                number.parse().is_ok_and(is_like_a_major) && slug[..start].ends_with(&normal(name))
            }
        };
        is_major.then_some(number)
    };
    of_cask().or_else(of_label).filter(is_number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        Documents,
        documents::RecipeDocument,
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
    fn a_major_version_that_label_file_and_slug_have_is_part_of_the_name() {
        let named = |slug: &str, file: &str| {
            let entry = json!({"name": ["Sample Lite"], "version": "12.4",
                "url": "https://example.com/a.dmg", "artifacts": [{"app": [file]}]});
            let own = label(slug, json!({"name": "Sample 12 Lite"}));
            let documents = Documents {
                labels: vec![own],
                casks: vec![cask("sample-lite", entry)],
                ..Documents::default()
            };
            let apps = all(&documents);
            let app = apps.iter().find(|app| app.record.app.slug.as_str() == slug).unwrap();
            assert_eq!(apps.len(), 1);
            app.record.app.name.clone()
        };
        assert_eq!(named("sample12lite", "Sample 12 Lite.app"), "Sample 12 Lite");
        assert_eq!(named("samplelite", "Sample 12 Lite.app"), "Sample Lite");
    }

    #[test]
    fn a_name_with_a_wrong_letter_is_corrected_by_the_token_and_another_source() {
        assert!(is_misspelled("Samples Menus", "sample-menus@beta", "Sample Menus"));
        assert!(!is_misspelled("Samples Menus", "samples-menus", "Sample Menus"));
        assert!(!is_misspelled("Samples Menus", "sample-menus", "Another"));
    }

    /// The name of an app with this label and recipes.
    fn label_named(slug: &str, name: &str, recipes: &[&str]) -> String {
        let raw = json!({"name": name, "type": "pkg", "downloadURL": "https://example.com/a.pkg"});
        let recipes = recipes.iter().enumerate().map(|(number, name)| {
            let entry = json!({"identifier": format!("com.example.{number}"), "name": name,
                "path": "a.recipe", "repo": "r", "shortname": format!("{slug}.munki")});
            let entry = serde_json::from_value(entry).unwrap();
            RecipeDocument { entry, app_display_name: None }
        });
        let documents = Documents {
            labels: vec![label(slug, raw)],
            recipes: recipes.collect(),
            ..Documents::default()
        };
        all(&documents).remove(0).record.app.name
    }

    #[test]
    fn recipes_can_spell_a_name_better_than_a_label() {
        let named = |name: &str, recipes: &[&str]| label_named("samplekit", name, recipes);
        assert_eq!(named("SampleKit", &["SampleKit", "Sample Kit"]), "Sample Kit");
        assert_eq!(named("Sample Kit", &["SampleKit", "Sample.Kit"]), "Sample Kit");
        assert_eq!(named("samplekit", &["SampleKit", "SampleKit"]), "SampleKit");
        assert_eq!(named("samplekit", &["SampleKit", "samplekit"]), "samplekit", "the same");
        assert_eq!(named("SampleKit", &["Samplekit", "Samplekit"]), "SampleKit");
        assert_eq!(named("Sample_Kit (macOS)", &[]), "Sample Kit");
    }

    #[test]
    fn without_a_version_the_slug_tells_the_major_version() {
        assert_eq!(label_named("makersample5", "Sample", &[]), "Sample 5");
        assert_eq!(label_named("makersample365", "Sample", &[]), "Sample", "part of the name");
        assert_eq!(label_named("samplekit5", "Sample", &[]), "Sample");
    }

    #[test]
    fn the_platform_is_no_part_of_the_name() {
        assert_eq!(spelled_as("Sample for Mac", "Sample.app", ""), "Sample");
        assert_eq!(spelled_as("Sample For Mac OS X", "Sample.app", ""), "Sample");
        assert_eq!(spelled_as("Sample for macOS", "Sample for macOS.app", ""), "Sample for macOS");
    }
}
