//! The major version that a label is locked to.
//!
//! Some labels install an older major version on purpose. The current cask's version and download
//! would be wrong for them.

use std::collections::BTreeSet;

use appstitch_text::{normal_name::normal, served};

use super::{addresses::addresses, likeness::has_number};
use crate::{documents::LabelDocument, label::literal::Literals};

/// A number in a name that differs by more than this from the version is part of the name.
const NEAR: u16 = 10;

#[derive(Default)]
pub(super) struct Majors {
    /// The numbers at the end of its names.
    named: Vec<u16>,
    /// The number in the file name of its download: 2 for `sample-v2.dmg`.
    downloaded: Option<u16>,
    literal: Option<u16>,
    /// The major versions that other labels of the product are for: 2 for `sample2`.
    successors: Vec<u16>,
}

impl Majors {
    /// Reads a label; `slugs` are those of all labels.
    pub(super) fn read(
        label: &LabelDocument,
        literals: &Literals,
        names: &[String],
        slugs: &BTreeSet<&str>,
    ) -> Self {
        let addresses: Vec<String> = addresses(label.source.raw.as_json()).collect();
        let is_downloaded =
            |number: u16| addresses.iter().any(|address| has_number(address, &number.to_string()));
        // `Sample 3` can be the name of every version, if the app's file has no number. A label
        // that is locked to a version also downloads that version.
        let file = literals.text("appName").map(|file| file.strip_suffix(".app").unwrap_or(file));
        let is_plain = file.is_some_and(|file| number_at_the_end(file).is_none());
        let of_name = literals.name().and_then(number_at_the_end);
        let is_lock =
            |number: &u16| !(is_plain && of_name == Some(*number) && !is_downloaded(*number));
        let slug = label.slug.as_str();
        let named = names.iter().map(String::as_str).chain([slug]).filter_map(number_at_the_end);
        let named = named.filter(is_lock).collect();
        let raw = label.source.raw.read();
        // Only what the label's text says is a lock. What running the label gave can lag behind.
        let written = |variable: &str| {
            let text = raw.get(variable)?.as_str()?;
            (!served::is_shell_expression(text)).then_some(text)
        };
        Self {
            named,
            downloaded: written("downloadURL").and_then(number_of_file),
            literal: written("appNewVersion").and_then(leading_number),
            successors: slugs
                .range(slug..)
                .map_while(|other| other.strip_prefix(slug))
                .filter_map(|number| number.strip_prefix('v').unwrap_or(number).parse().ok())
                .collect(),
        }
    }

    /// Whether the label is for a major version other than the cask's.
    pub(super) fn exclude(&self, token: &str, version: Option<&str>) -> bool {
        let Some(current) = version.and_then(leading_number) else { return false };
        let token = normal(token);
        let is_other = |number: u16| {
            // A number that the token also ends in is part of the name.
            !token.ends_with(&number.to_string()) && is_near_but_other(number, current)
        };
        let is_older = |number: u16| number < current && is_near_but_other(number, current);
        self.named.iter().copied().any(is_other)
            || self.downloaded.is_some_and(is_older)
            // A literal version can also just be out of date.
            || (self.literal.is_some_and(is_older) && self.successors.contains(&current))
    }
}

/// Whether two major versions differ, but not so much that one of them is something else. A year
/// can have two or four digits.
pub(super) fn is_near_but_other(number: u16, current: u16) -> bool {
    let year = 2000..2100;
    let short_year = 20..100;
    let (number, current) = match (year.contains(&number), year.contains(&current)) {
        (true, false) if short_year.contains(&current) => (number - 2000, current),
        (false, true) if short_year.contains(&number) => (number, current - 2000),
        _ => (number, current),
    };
    number != current && number.abs_diff(current) <= NEAR
}

/// The number at the end of a name, unless it is the whole name.
pub(super) fn number_at_the_end(name: &str) -> Option<u16> {
    let start = name.trim_end_matches(|last: char| last.is_ascii_digit()).len();
    if start == 0 { None } else { name[start..].parse().ok() }
}

pub(super) fn leading_number(version: &str) -> Option<u16> {
    version.split(|first: char| !first.is_ascii_digit()).next()?.parse().ok()
}

/// The number behind a `v` in the file name of a URL.
pub(super) fn number_of_file(url: &str) -> Option<u16> {
    let file = url.rsplit('/').next()?.to_ascii_lowercase();
    let mut words = file.split(['-', '_', ' ']);
    words.find_map(|word| leading_number(word.strip_prefix('v')?))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use appstitch_types::Slug;

    fn excludes(slug: &str, raw: Value, version: &str) -> bool {
        let name = raw["name"].as_str().unwrap().to_owned();
        let payload =
            json!({"label_name": slug, "label_url": "https://example.com/l.sh", "raw": raw});
        let label = LabelDocument {
            slug: Slug::parse(slug).unwrap(),
            other_names: Vec::new(),
            source: serde_json::from_str(&payload.to_string()).unwrap(),
            unresolved: Vec::new(),
            found: appstitch_types::LabelValues::default(),
        };
        let literals = Literals::read(&label.source.raw);
        let slugs = ["sample", "sample2", "samplefinder3"].into();
        Majors::read(&label, &literals, &[name], &slugs).exclude("sample", Some(version))
    }

    #[test]
    fn a_number_in_the_name_is_a_lock() {
        let named = json!({"name": "Sample 4"});
        assert!(excludes("sample", named.clone(), "6.1"));
        assert!(!excludes("sample", named, "4.2"));
        let plain = json!({"name": "Sample"});
        assert!(excludes("sample2024", plain.clone(), "2026.1"));
        assert!(!excludes("sample2024", plain.clone(), "24.5"));
        assert!(!excludes("sample365", plain, "16.0"), "too far from the version");
    }

    #[test]
    fn a_number_that_neither_the_file_nor_the_download_has_is_part_of_the_name() {
        let at =
            |url: &str| json!({"name": "Sample 4", "appName": "Sample.app", "downloadURL": url});
        assert!(!excludes("sample4", at("https://example.com/Sample.dmg"), "6.1"));
        assert!(excludes("sample4", at("https://example.com/Sample%204.dmg"), "6.1"));
    }

    #[test]
    fn an_older_download_or_version_is_a_lock() {
        let named =
            json!({"name": "Sample", "downloadURL": "https://example.com/sample-v2-mac.dmg"});
        assert!(excludes("sample", named.clone(), "3.8"));
        assert!(!excludes("sample", named, "2.8"));
        let literal = json!({"name": "Sample", "appNewVersion": "1.5.4"});
        assert!(excludes("sample", literal.clone(), "2.0"), "there is a label for version 2");
        assert!(!excludes("sample", literal.clone(), "3.0"), "it may be out of date");
        assert!(!excludes("sample", literal, "1.6"));
        let resolved = json!({"appNewVersion": "1.5.4",
            "downloadURL": "https://example.com/sample-v1-mac.dmg"});
        let computed = json!({"name": "Sample", "appNewVersion": "$(curl x)",
            "downloadURL": "$(curl y)", "resolved": resolved});
        assert!(!excludes("sample", computed, "2.0"), "the label lags behind");
    }
}
