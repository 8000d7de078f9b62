//! A version in the notation that all notations of it have in common.

use super::{
    Version,
    build::Build,
    number::Number,
    suffix::{Suffix, SuffixKind},
};

/// Writes a version: its numbers, its suffixes, its build.
pub(super) fn write(version: &Version) -> String {
    let mut text = numbers(&version.release);
    if text.is_empty() {
        text.push('0');
    }
    for suffix in &version.suffixes {
        text.push_str(&written(suffix));
    }
    if let Some(build) = version.build.as_ref().map(Build::written) {
        text.push('+');
        text.push_str(&build);
    }
    text
}

fn written(suffix: &Suffix) -> String {
    let stage = match suffix.kind {
        SuffixKind::Development => "-dev",
        SuffixKind::Alpha => "-alpha",
        SuffixKind::Beta => "-beta",
        SuffixKind::Candidate => "-rc",
        // A letter must follow the number directly.
        SuffixKind::Patch => return format!("{}{}", suffix.word, numbers(&suffix.numbers)),
    };
    let numbers = numbers(&suffix.numbers);
    if numbers.is_empty() { stage.to_owned() } else { format!("{stage}.{numbers}") }
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
        ] {
            assert_eq!(write(&Version::parse(text).unwrap()), normal, "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_normal_form_is_the_same_version(text in "[0-9]{1,3}(\\.[0-9]{1,3}){0,3}(-?(beta|rc|a|b|dev)[0-9]{1,2})?(,[0-9]{1,5})?") {
            if let Some(version) = Version::parse(&text) {
                prop_assert_eq!(Version::parse(&write(&version)), Some(version), "{}", text);
            }
        }
    }
}
