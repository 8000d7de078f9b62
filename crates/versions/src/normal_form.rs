//! A version in the notation that all notations of it have in common.

use super::{
    build::Build,
    number::Number,
    suffix::{Suffix, SuffixKind},
    version::Version,
};

impl Version {
    /// The version in one notation: `v04.32.0` is `4.32`, `5.0 Beta 2` is `5-beta.2`.
    ///
    /// ```
    /// use appstitch_versions::Version;
    ///
    /// let version = Version::parse("v04.32.0 (build 12)").unwrap();
    /// assert_eq!(version.normal_form(), "4.32+12");
    /// ```
    pub fn normal_form(&self) -> String {
        write(self)
    }
}

fn write(version: &Version) -> String {
    let mut text = numbers(&version.release);
    if text.is_empty() {
        text.push('0');
    }
    for suffix in &version.suffixes {
        // A patch must follow a number directly, also one that means nothing.
        if suffix.kind == SuffixKind::Patch && !text.ends_with(|last: char| last.is_ascii_digit()) {
            text.push_str(".0");
        }
        text.push_str(&written(suffix));
    }
    if let Some(build) = version.build.as_ref().map(Build::written) {
        text.push('+');
        text.push_str(&build);
    }
    text
}

fn written(suffix: &Suffix) -> String {
    let numbers = numbers(&suffix.numbers);
    let stage = match suffix.kind {
        SuffixKind::Development => "-dev",
        SuffixKind::Alpha => "-alpha",
        SuffixKind::Beta => "-beta",
        SuffixKind::Candidate => "-rc",
        // Most words mean a patch only with a number.
        SuffixKind::Patch if numbers.is_empty() && is_numbered_patch(&suffix.word) => {
            return format!("{}0", suffix.word);
        }
        SuffixKind::Patch => return format!("{}{numbers}", suffix.word),
    };
    if numbers.is_empty() { stage.to_owned() } else { format!("{stage}.{numbers}") }
}

fn is_numbered_patch(word: &str) -> bool {
    SuffixKind::of(word, true) == Some(SuffixKind::Patch)
}

fn numbers(numbers: &[Number]) -> String {
    numbers.iter().map(Number::text).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_notation_of_a_version_is_written_alike() {
        for (text, normal) in [
            ("v04.32.0", "4.32"),
            ("0.0", "0"),
            ("5.0 Beta 2", "5-beta.2"),
            ("5.0b2", "5-beta.2"),
            ("1.1.1w", "1.1.1w"),
            ("2020.3.4f1", "2020.3.4f1"),
            ("5.7.3,2320", "5.7.3+2320"),
            ("4.0.1 (build 5971)", "4.0.1+5971"),
            ("3.6.4-28955b81", "3.6.4+28955b81"),
            ("1.0 sp0", "1sp0"),
            ("1.0-beta-p1", "1-beta.0p1"),
            ("1.0beta0w", "1-beta.0w"),
            ("1.0 build 0", "1+0"),
        ] {
            let version = Version::parse(text).unwrap();
            assert_eq!(write(&version), normal, "{text}");
            assert_eq!(Version::parse(normal), Some(version), "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_normal_form_is_the_same_version(text in "[0-9]{1,3}(\\.[0-9]{1,3}){0,3}([ -]?(beta|rc|a|b|dev|p|sp|w|build)[0-9]{0,2}){0,3}(,[0-9]{1,5})?") {
            if let Some(version) = Version::parse(&text) {
                prop_assert_eq!(Version::parse(&write(&version)), Some(version), "{}", text);
            }
        }
    }
}
