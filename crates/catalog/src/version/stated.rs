//! Whether the versions of two sources mean the same release.
//!
//! Sources write the same release in different ways: with or without its build, with or without
//! zeros, in words. Each accepted difference is a [`Rule`]; any other difference is drift. Unlike
//! the order of versions, this comparison is not transitive.

use std::cmp::Ordering;

use super::{Version, number::Number};
use crate::fold_case;

/// The minimum number of digits of a build number.
const BUILD_DIGITS: usize = 4;

/// The minimum number of digits of a number that is compared with the other version's build.
const LONE_BUILD_DIGITS: usize = 3;

/// Why two stated versions agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// They are equal after normalization: `v4.32` and `4.32.0`.
    SameVersion,
    /// One has a build, and the other has none or one of a different kind: `5.0.4,1234` and
    /// `5.0.4`.
    BuildOnOneSide,
    /// One has the build number appended to the version: `3.8.2` and `3.8.2.6009`.
    BuildBehind,
    /// Both have the same build in different places: `3.8.2,6009` and `3.8.2.6009`.
    SameBuild,
    /// One is only the build: `6009` and `3.8.2,6009`.
    BuildAlone,
    /// At least one cannot be ordered, but they are the same text apart from case and
    /// separators: `2026-03-05` and `2026.03.05`.
    SameText,
}

/// The result of comparing the versions of two sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stated {
    /// The same release.
    Same(Rule),
    /// Different releases, with their order if it is known.
    Different(Option<Ordering>),
}

impl Stated {
    /// Compares the versions of two sources.
    pub(crate) fn compare(left: &str, right: &str) -> Self {
        match (Version::parse(left), Version::parse(right)) {
            (Some(left), Some(right)) => compare(&left, &right),
            _ if plain(left) == plain(right) => Self::Same(Rule::SameText),
            _ => Self::Different(None),
        }
    }

    /// Whether both mean the same release.
    pub(crate) fn is_same(self) -> bool {
        matches!(self, Self::Same(_))
    }
}

/// The text with case folded and all separators replaced by dots.
fn plain(text: &str) -> String {
    fold_case(text.trim()).replace(['-', '_', ' '], ".")
}

fn compare(left: &Version, right: &Version) -> Stated {
    if let Some(stated) = lone_build(left, right) {
        return stated;
    }
    if let Some(stated) = lone_build(right, left) {
        return stated.reversed();
    }
    match left.compare_release(right) {
        Ordering::Equal => compare_builds(left, right),
        order => match build_behind(left, right).or_else(|| build_behind(right, left)) {
            Some(rule) => Stated::Same(rule),
            None => Stated::Different(Some(order)),
        },
    }
}

impl Stated {
    fn reversed(self) -> Self {
        match self {
            Self::Different(order) => Self::Different(order.map(Ordering::reverse)),
            same @ Self::Same(_) => same,
        }
    }
}

/// Compares the builds of the same release. They are compared only if both versions have a build
/// of the same kind: a commit or a date cannot be compared with a build number.
fn compare_builds(left: &Version, right: &Version) -> Stated {
    let (Some(left), Some(right)) = (&left.build, &right.build) else {
        let told = left.build.is_some() || right.build.is_some();
        return Stated::Same(if told { Rule::BuildOnOneSide } else { Rule::SameVersion });
    };
    if left == right {
        return Stated::Same(Rule::SameVersion);
    }
    match (left.number(), right.number()) {
        (Some(number), None) if right.contains(number) => return Stated::Same(Rule::SameBuild),
        (None, Some(number)) if left.contains(number) => return Stated::Same(Rule::SameBuild),
        _ => {}
    }
    match (left.leading_number(), right.leading_number()) {
        (Some(left), Some(right)) if left.is_day() != right.is_day() => {
            Stated::Same(Rule::BuildOnOneSide)
        }
        (Some(left), Some(right)) if left != right => Stated::Different(Some(left.cmp(right))),
        (Some(_), None) | (None, Some(_)) => Stated::Same(Rule::BuildOnOneSide),
        // Commits and names have no order.
        _ if left.has_words() || right.has_words() => Stated::Different(None),
        _ => Stated::Different(Some(left.cmp(right))),
    }
}

/// Whether `long` is `short` with a build number appended.
fn build_behind(short: &Version, long: &Version) -> Option<Rule> {
    let (last, front) = long.release.split_last()?;
    // The short version has no trailing zeros, so there may be zeros before the build.
    let padding = front.strip_prefix(short.release.as_slice())?;
    let is_release = short.suffixes.is_empty() && long.suffixes.is_empty();
    if !is_release || short.release.is_empty() || !padding.iter().all(Number::is_zero) {
        return None;
    }
    match short.build.as_ref() {
        Some(build) if build.contains(last) && last.length() >= LONE_BUILD_DIGITS => {
            Some(Rule::SameBuild)
        }
        Some(build) if build.number().is_some() => None,
        _ if is_build_number(last, front) => Some(Rule::BuildBehind),
        _ => None,
    }
}

/// A build number is long and larger than every number before it. 4.32.1 and 2026.8.1100 are
/// therefore separate releases.
fn is_build_number(last: &Number, front: &[Number]) -> bool {
    last.length() >= BUILD_DIGITS && front.iter().all(|number| number < last)
}

/// Compares a version that is only a build with the build of `full`: `6009` and `3.8.2,6009`, or
/// `17.68.203` and `17.0.20.1,17.68.203`. `None` if `lone` is not a build.
fn lone_build(lone: &Version, full: &Version) -> Option<Stated> {
    let build = full.build.as_ref()?;
    if !lone.suffixes.is_empty() || lone.build.is_some() || lone.release == full.release {
        return None;
    }
    let [number] = lone.release.as_slice() else {
        return build.is_numbers(&lone.release).then_some(Stated::Same(Rule::BuildAlone));
    };
    // If the number is no longer than the first number of the other version, it is a version.
    let is_longer = full.release.first().is_none_or(|first| first.length() < number.length());
    if number.length() < LONE_BUILD_DIGITS || !is_longer {
        return None;
    }
    if build.contains(number) {
        return Some(Stated::Same(Rule::BuildAlone));
    }
    let own = build.number().filter(|own| own.length() == number.length())?;
    Some(Stated::Different(Some(number.cmp(own))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(left: &str, right: &str) -> Option<Rule> {
        let there = Stated::compare(left, right);
        let back = Stated::compare(right, left);
        assert_eq!(there, back.reversed(), "{left} and {right}, in both directions");
        match there {
            Stated::Same(rule) => Some(rule),
            Stated::Different(_) => None,
        }
    }

    #[test]
    fn spelling_is_no_disagreement() {
        for (left, right) in [
            ("4.32", "4.32.0"),
            ("v1.2", "1.2"),
            ("Version 1.2", "1.2"),
            ("5.0.4,1234", "5.0.4 (1234)"),
            ("8.36.2-3", "8.36.2.3"),
            ("1.0b3", "1.0-beta.3"),
            ("26.7.5.10-stable", "26.7.5.10"),
            ("M138.0.7204.303", "138.0.7204.303"),
            ("140.14.0", "140.14.0esr"),
            ("0.2026.08.19.08.15.01", "0.2026.08.19.08.15.stable_01"),
            ("8.0.3 (build 6303)", "8.0.3,6303"),
        ] {
            assert_eq!(rule(left, right), Some(Rule::SameVersion), "{left} and {right}");
        }
    }

    #[test]
    fn a_build_counts_only_when_both_tell_it_in_the_same_way() {
        for (left, right) in [
            ("5.0.4,1234", "5.0.4"),
            ("1.51.0-72cf2b3c", "1.51.0"),
            ("2.2 (600)", "2.2,abcdef12"),
            ("2.0.0+17", "2.0.0"),
            ("2.7.9 (600)", "2.7.9,2026062701"),
        ] {
            assert_eq!(rule(left, right), Some(Rule::BuildOnOneSide), "{left} and {right}");
        }
        for (left, right) in [
            ("5.0.4,1234", "5.0.4,1235"),
            ("1.2,abc", "1.2,abd"),
            ("8.0.3 (build 6304)", "8.0.3,6303"),
            ("4.3.9 (148)", "4.3.9,147,1742287964"),
        ] {
            assert_eq!(rule(left, right), None, "{left} and {right}");
        }
        let commits = Stated::compare("1.51.0-72cf2b3c", "1.51.0,12cf2b3c");
        assert_eq!(commits, Stated::Different(None), "commits have no order");
    }

    #[test]
    fn a_build_number_behind_the_version_is_no_disagreement_but_another_release_is() {
        for (left, right) in [
            ("3.8.2", "3.8.2.6009"),
            ("16.91", "16.91.24111020"),
            ("2025.3", "2025.3.14520"),
            ("1.2", "1.2.0.4567"),
        ] {
            assert_eq!(rule(left, right), Some(Rule::BuildBehind), "{left} and {right}");
        }
        for (left, right) in [
            ("4.32", "4.32.1"),
            ("4.32", "4.32.100"),
            ("2026.8", "2026.8.1100"),
            ("3.8.2", "3.8.3.6009"),
            ("3.8.2", "3.8.2.6009-beta"),
            ("3", "3.8.2.6009"),
        ] {
            assert_eq!(rule(left, right), None, "{left} and {right}");
        }
    }

    #[test]
    fn the_same_build_in_another_place_is_no_disagreement() {
        assert_eq!(rule("3.8.2,6009", "3.8.2.6009"), Some(Rule::SameBuild));
        assert_eq!(rule("2.3 (420)", "2.3.420"), Some(Rule::SameBuild));
        assert_eq!(rule("4.32,1", "4.32.1"), None, "too short to be a build");
        assert_eq!(rule("2.3 (17)", "2.3,2026,17"), Some(Rule::SameBuild));
        assert_eq!(rule("3.8.2,6009", "3.8.2.6010"), None);
    }

    #[test]
    fn a_number_alone_is_held_against_the_build() {
        assert_eq!(rule("6009", "3.8.2,6009"), Some(Rule::BuildAlone));
        assert_eq!(rule("135", "8.0,135"), Some(Rule::BuildAlone));
        assert_eq!(rule("17.68.203", "17.0.20.1,17.68.203"), Some(Rule::BuildAlone));
        assert_eq!(
            Stated::compare("6008", "3.8.2,6009"),
            Stated::Different(Some(Ordering::Less)),
            "6008 is an older build, although it is greater than 3"
        );
        assert_eq!(Stated::compare("4", "3.8.2,6009"), Stated::Different(Some(Ordering::Greater)));
    }

    #[test]
    fn texts_that_cannot_be_ordered_agree_when_they_are_the_same() {
        assert_eq!(rule("2026-03-05", "2026-03-05"), Some(Rule::SameText));
        assert_eq!(rule("2026-03-05", "2026.03.05"), Some(Rule::SameText));
        assert_eq!(rule("Release A", "release a"), Some(Rule::SameText));
        assert_eq!(Stated::compare("2026-03-05", "1.10"), Stated::Different(None));
    }
}
