//! The version of the file that a label downloads.

use appstitch_versions::stated::Stated;

use super::literal::Literals;
use crate::url_version::{NamedVersion, dotted, named};

/// The version that a label states, unless its own address contradicts it: a label can read the
/// version of another place than the file (tags of a repository, a build number). If the address
/// names the version of the cask and not the one that the label states, it is the cask's. A number
/// that running the label may have cut out of a version counts only as far as the address has it.
/// If nobody states a version, the one in the name of the label's file counts.
pub(crate) fn label_version<'a>(label: &'a Literals, cask: Option<&'a str>) -> Option<&'a str> {
    let url = label.text("downloadURL");
    let Some(stated) = label.version() else {
        return cask.is_none().then_some(url?).and_then(version_of_file);
    };
    let mut urls = url.into_iter().chain(label.recorded_address());
    let is_of_cask = |url: &str, cask| {
        named(url, stated) != NamedVersion::This && named(url, cask) == NamedVersion::This
    };
    if let Some(cask) = cask {
        if Stated::compare(stated, cask).is_same() {
            return Some(stated);
        }
        if urls.clone().any(|url| is_of_cask(url, cask)) {
            return Some(cask.split(',').next().unwrap_or(cask));
        }
    }
    if is_fragment(stated) {
        return urls.find_map(|url| completed(url, stated));
    }
    Some(urls.find_map(|url| separated(url, stated)).unwrap_or(stated))
}

/// The version in the name of a file, if it has the same digits as the stated one and more separators:
/// running the label has lost one.
fn separated<'a>(url: &'a str, stated: &str) -> Option<&'a str> {
    let digits = |text: &str| text.replace('.', "");
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let parts = |text: &str| text.split('.').count();
    let file = url.split(['?', '#']).next()?.rsplit('/').next()?;
    (stated.contains('.') && is_number(stated)).then_some(())?;
    dotted(file).find(|number| digits(number) == digits(stated) && parts(number) > parts(stated))
}

/// Whether a version can be a part of one, or one without its separators: `1117`, `45b7`,
/// `02703.5.4`.
fn is_fragment(version: &str) -> bool {
    let first = version.split('.').next().unwrap_or_default();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let has_letter_inside = || {
        let parts: Vec<&str> = version.split(|c: char| c.is_ascii_lowercase()).collect();
        parts.len() == 2 && parts.into_iter().all(is_number)
    };
    if version.contains('.') {
        first.len() > 2 && first.starts_with('0')
    } else {
        (is_number(version) && version.len() >= MIN_FRAGMENT) || has_letter_inside()
    }
}

/// Shorter numbers are versions.
const MIN_FRAGMENT: usize = 3;

/// The version in an address of which `fragment` is a part: `8.6.0.52050` or `8.6.0-52050` for
/// `52050`, `3.5.4` for `02703.5.4`. A number that stands alone in the address is the version.
fn completed<'a>(url: &'a str, fragment: &'a str) -> Option<&'a str> {
    let path = url.split_once("://")?.1;
    let whole = dotted(path).find(|number| {
        number.strip_suffix(fragment).is_some_and(|start| start.ends_with('.'))
            || fragment.ends_with(number)
    });
    let before_build = || {
        let (before, _) = path.split_once(&format!("-{fragment}"))?;
        let start = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').len();
        Some(&before[start..]).filter(|number| number.contains('.'))
    };
    let is_alone = || {
        let is_number = fragment.bytes().all(|byte| byte.is_ascii_digit());
        let mut words = path.split(|c: char| !c.is_ascii_alphanumeric());
        is_number && words.any(|word| word.strip_prefix('r').unwrap_or(word) == fragment)
    };
    // `8u502+9` for `502`.
    let update = || {
        let is_of_version = |c: char| c.is_ascii_alphanumeric() || c == '+';
        let updated = format!("u{fragment}");
        path.split(|c| !is_of_version(c)).find(|word| {
            let (major, rest) = word.split_once(&updated).unwrap_or_default();
            !major.is_empty()
                && major.bytes().all(|byte| byte.is_ascii_digit())
                && !rest.starts_with(|c: char| c.is_ascii_digit())
        })
    };
    whole.or_else(before_build).or_else(update).or_else(|| is_alone().then_some(fragment))
}

/// The only dotted number in the name of a file, unless it is that of a system.
fn version_of_file(url: &str) -> Option<&str> {
    let file = url.split(['?', '#']).next()?.rsplit('/').next()?;
    let mut numbers = dotted(file);
    let number = numbers.next().filter(|_| numbers.next().is_none())?;
    let start = file.find(number)?;
    let (before, behind) = (&file[..start], file[start + number.len()..].to_ascii_lowercase());
    let is_stage = ["beta", "alpha", "rc"].iter().any(|stage| behind.contains(stage));
    (before.ends_with(['-', '_', 'v', ' ']) && !is_stage).then_some(number)
}

/// Whether a label states only the beginning of the cask's version, and its address does not say
/// that this is all: it is the same release as far as it says.
pub(crate) fn is_cut(label: &Literals, cask: &str) -> bool {
    let Some(stated) = label_version(label, Some(cask)) else { return false };
    let urls: Vec<&str> =
        label.text("downloadURL").into_iter().chain(label.recorded_address()).collect();
    let goes_on = |number: &str| number.len() > stated.len() && number.starts_with(stated);
    let says_more = urls.iter().flat_map(|url| dotted(url)).any(goes_on);
    let says_this = urls.iter().any(|url| named(url, stated) == NamedVersion::This);
    let is_other = !Stated::compare(stated, cask).is_same();
    let cask = cask.split(',').next().unwrap_or(cask);
    is_other && stated.contains('.') && goes_on(cask) && (says_more || !says_this)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn version(url: &str, stated: &str, cask: &str) -> String {
        let moving = json!({"downloadURL": "https://example.com/Sample.dmg",
            "appNewVersion": stated, "recorded": {"downloadURL": url}});
        let moving = Literals::of(moving.as_object().unwrap().clone());
        let label = json!({"downloadURL": url, "appNewVersion": stated});
        let label = Literals::of(label.as_object().unwrap().clone());
        let version = label_version(&label, Some(cask)).unwrap().to_owned();
        assert_eq!(label_version(&moving, Some(cask)), Some(&*version), "by its redirect");
        version
    }

    #[test]
    fn the_address_decides_between_the_label_and_the_cask() {
        let url = "https://example.com/Sample-3.32.721.dmg";
        assert_eq!(version(url, "3.34", "3.32.721"), "3.32.721");
        assert_eq!(version(url, "3.34", "3.32.721,5"), "3.32.721");
        assert_eq!(version(url, "3.32.721", "3.31"), "3.32.721");
        assert_eq!(version(url, "3.34", "3.33"), "3.34", "the address names neither");
        assert_eq!(version("https://example.com/Sample.dmg", "3.34", "3.33"), "3.34");
        assert_eq!(version(url, "3.32", "3.32.721"), "3.32", "the same release");
    }

    fn alone(url: &str, stated: Option<&str>) -> Option<String> {
        let label = json!({"downloadURL": url, "appNewVersion": stated});
        let label = Literals::of(label.as_object().unwrap().clone());
        label_version(&label, None).map(str::to_owned)
    }

    #[test]
    fn a_fragment_of_a_version_counts_as_far_as_the_address_has_it() {
        for (file, stated, version) in [
            ("sample_8.6.0.52050.pkg", "52050", "8.6.0.52050"),
            ("3.2.1-5059/sample.pkg", "5059", "3.2.1"),
            ("8u502+9/sample-jdk8u502+9-macos.pkg", "502", "8u502+9"),
            ("Sample_2.4.2_EN.pkg", "2.42", "2.4.2"),
            ("Sample-3.0.4.781.pkg", "3.0.4781", "3.0.4.781"),
            ("2.4.2/Sample.pkg", "2.42", "2.42"),
            ("sample-3.5.4-mac.zip", "02703.5.4", "3.5.4"),
            ("Sample_r3536.dmg", "3536", "3536"),
            ("sample-20210611.pkg", "20210611", "20210611"),
            ("sample.pkg", "25", "25"),
        ] {
            let found = alone(&format!("https://example.com/{file}"), Some(stated));
            assert_eq!(found.as_deref(), Some(version), "{file}");
        }
        assert_eq!(alone("https://example.com/sample1117Mac.zip", Some("1117")), None);
        assert_eq!(alone("https://example.com/Sample-45b7-9702.dmg", Some("45b7")), None);
        assert_eq!(version("https://example.com/Sample.dmg", "6272", "6272"), "6272");
    }

    #[test]
    fn the_version_in_the_name_of_a_file_counts() {
        let found = |file: &str| alone(&format!("https://example.com/4.0/{file}"), None);
        assert_eq!(found("Example.com_Sample_2.1.pkg").as_deref(), Some("2.1"));
        assert_eq!(found("Sample-macos10.15.pkg"), None);
        assert_eq!(found("Sample-2.1-for-3.0.pkg"), None);
        assert_eq!(found("Sample.pkg"), None);
    }

    #[test]
    fn a_cut_version_is_the_same_release_as_far_as_it_says() {
        let cut = |url: &str, stated: &str, cask: &str| {
            let label = json!({"downloadURL": url, "appNewVersion": stated});
            is_cut(&Literals::of(label.as_object().unwrap().clone()), cask)
        };
        assert!(cut("https://example.com/3.15/Sample_3.15.4.pkg", "3.15", "3.15.6"));
        assert!(cut("https://example.com/Sample.pkg", "1.3.10", "1.3.100,5"));
        assert!(!cut("https://example.com/Sample-2.4.dmg", "2.4", "2.4.3.1"));
        assert!(!cut("https://example.com/Sample.dmg", "2.3", "2.4"));
    }
}
