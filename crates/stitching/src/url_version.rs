//! Which version a URL names: the file of an address with a version in it never changes, while an
//! address without one gives the newest file.

use appstitch_versions::stated::Stated;

/// The minimum length of a number that can be a version without its dots, or a build.
const MIN_DIGITS: usize = 3;

/// Parameters of signed URLs. Such a URL is made for one file and expires.
const SIGNATURES: [&str; 4] = ["sig=", "signature=", "expires=", "hdnea="];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamedVersion {
    None,
    This,
    Other,
}

/// Whether a URL names this version.
pub fn names_version(url: &str, version: &str) -> bool {
    named(url, version) == NamedVersion::This
}

/// Compares the numbers of a URL's path and query with a version. Any dotted number counts as a
/// version: taking a fixed address for one that moves would hand out an old file.
pub(crate) fn named(url: &str, version: &str) -> NamedVersion {
    let path =
        url.split("://").nth(1).and_then(|rest| rest.split_once('/')).map_or("", |(_, path)| path);
    let path = &path.replace("%20", " ");
    let is_same = |number: &str| Stated::compare(number, version).is_exact();
    let is_named = contains(path, version)
        || dotted(path).any(is_same)
        || runs(path).any(|run| is_joined(run, version))
        // File names also write 5_2_1 or 5-2-1. Other numbers are written like this as well
        // (x86_64), so only the version itself is recognized.
        || dotted(&path.replace(['_', '-'], ".")).any(is_same);
    let is_fixed = || {
        dotted(path).next().is_some()
            || runs(path).any(|run| is_like_joined(run, version))
            || is_signed(path)
    };
    if is_named {
        NamedVersion::This
    } else if is_fixed() {
        NamedVersion::Other
    } else {
        NamedVersion::None
    }
}

/// Whether the text contains the version without its build, and not only as a part of a longer
/// number.
fn contains(path: &str, version: &str) -> bool {
    let release = version.split(',').next().unwrap_or_default();
    let is_number = |c: char| c.is_ascii_digit();
    !release.is_empty()
        && path.match_indices(release).any(|(start, _)| {
            let (before, behind) = (&path[..start], &path[start + release.len()..]);
            let goes_on = behind.strip_prefix('.').unwrap_or(behind).starts_with(is_number);
            let begun = before.strip_suffix('.').unwrap_or(before).ends_with(is_number);
            !goes_on && !begun
        })
}

fn is_signed(path: &str) -> bool {
    let query = path.split_once('?').map_or("", |(_, query)| query).to_ascii_lowercase();
    SIGNATURES.iter().any(|parameter| query.contains(parameter))
}

pub(crate) fn dotted(path: &str) -> impl Iterator<Item = &str> {
    path.split(|character: char| !character.is_ascii_digit() && character != '.')
        .map(|number| number.trim_matches('.'))
        .filter(|number| number.contains('.'))
}

fn runs(path: &str) -> impl Iterator<Item = &str> {
    path.split(|character: char| !character.is_ascii_digit()).filter(|run| run.len() >= MIN_DIGITS)
}

/// Whether the digits are the version without its dots, or its build: `521` and `5.2.1,1234`.
fn is_joined(run: &str, version: &str) -> bool {
    let mut parts = version.split(',');
    let release = parts.next().unwrap_or_default();
    joined(release) == run || parts.any(|build| build == run)
}

/// Whether the digits could be another version without its dots: as long, with the same start.
fn is_like_joined(run: &str, version: &str) -> bool {
    let digits = joined(version.split(',').next().unwrap_or_default());
    digits.len() == run.len() && digits.as_bytes().first() == run.as_bytes().first()
}

fn joined(release: &str) -> String {
    release.chars().filter(char::is_ascii_digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_found_in_any_spelling() {
        for path in [
            "Sample-5.2.1.dmg",
            "v5.2.1/Sample.dmg",
            "Sample_5_2_1.zip",
            "Sample-5-2-1.zip",
            "Sample521.pkg",
            "8368/Sample.pkg",
            "get?version=5.2.1",
            "2.0/x86_64/Sample-5.2.1.dmg",
            "Sample3-5.2.1-1.dmg",
            "Sample%205.2.1.dmg",
        ] {
            let url = format!("https://dl4.example.com/{path}");
            assert_eq!(named(&url, "5.2.1,8368"), NamedVersion::This, "{url}");
        }
    }

    #[test]
    fn another_version_is_not_taken_for_an_address_that_moves() {
        for path in [
            "Sample-5.2.0.dmg",
            "Sample520.pkg",
            "macos10.15/Sample.dmg",
            "Sample.dmg?X-Signature=abc&Expires=17",
            "Sample-15.2.1.dmg",
        ] {
            let url = format!("https://example.com/{path}");
            assert_eq!(named(&url, "5.2.1"), NamedVersion::Other, "{url}");
        }
        for url in [
            "https://dl1.2.example.com/Sample.dmg",
            "https://example.com/v2/x86_64/Sample.dmg",
            "https://example.com/latest?os=mac",
            "https://example.com/Sample7.dmg",
            "https://example.com",
        ] {
            assert_eq!(named(url, "5.2.1"), NamedVersion::None, "{url}");
        }
    }
}
