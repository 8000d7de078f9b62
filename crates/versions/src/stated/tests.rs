//! The rules for spelling and builds; the other rules are tested beside their code.

use proptest::prelude::*;

use super::{super::Version, *};

/// The rule by which two versions agree; the comparison must be symmetric.
pub(super) fn rule(left: &str, right: &str) -> Option<Rule> {
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
        ("26.7.5-latest", "26.7.5"),
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
    for build in ["17.68.15", "17.66.19"] {
        assert_eq!(
            Stated::compare(build, "17.0.20.1,17.68.203"),
            Stated::Different(Some(Ordering::Less)),
            "{build} is an older build, although it is greater than 17.0"
        );
    }
    assert_eq!(
        Stated::compare("17.1.2", "17.0.20.1,17.68.203"),
        Stated::Different(Some(Ordering::Greater)),
        "17.1.2 is closer to the release than to the build"
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

#[test]
fn what_a_version_lacks_is_not_identified() {
    assert!(Stated::compare("3.8.2", "3.8.2.6009").is_exact());
    assert!(Stated::compare("Build 4200", "4200").is_exact());
    for (left, right) in [
        ("8.34", "8.34.26223.11002"),
        ("2681", "26.8.1"),
        ("1.2.3", "1.2.3b"),
        ("0.5.1", "2.0.5.1"),
    ] {
        let stated = Stated::compare(left, right);
        assert!(stated.is_same() && !stated.is_exact(), "{left} and {right}");
    }
}

proptest! {
    #[test]
    fn any_two_texts_are_compared_symmetrically(
        left in "(Build |v)?[0-9]{1,4}([.,_ -][a-c]?[0-9]{1,3}){0,4}(-latest|\\.CE|b|-beta)?",
        right in "[0-9]{1,4}([.,+-]b?[0-9]{1,3}){0,4}(-R|-beta|b)?",
    ) {
        prop_assert_eq!(Stated::compare(&left, &right), Stated::compare(&right, &left).reversed());
        prop_assert!(Stated::compare(&left, &left).is_same());
    }

    #[test]
    fn any_text_is_compared_without_a_panic(left in "\\PC*", right in "\\PC*") {
        let there = Stated::compare(&left, &right);
        prop_assert_eq!(there, Stated::compare(&right, &left).reversed());
    }

    /// Only the last number differs, by one: always another release.
    #[test]
    fn the_next_release_is_never_the_same(
        front in prop::collection::vec(0_u32..3000, 1..4),
        last in 0_u32..9000,
    ) {
        let dotted = |last: u32| {
            let parts = front.iter().chain([&last]).map(u32::to_string);
            parts.collect::<Vec<_>>().join(".")
        };
        let (older, newer) = (dotted(last), dotted(last + 1));
        prop_assert_eq!(Stated::compare(&older, &newer), Stated::Different(Some(Ordering::Less)));
    }
}

/// Versions of only numbers and dots: with zeros around them, years, and very long numbers.
fn dotted() -> impl Strategy<Value = String> {
    let number =
        prop_oneof!["[0-3]", "0{1,2}[0-9]{0,2}", "[0-9]{1,4}", "20[12][0-9]", "[0-9]{17,22}"];
    proptest::collection::vec(number, 1..9).prop_map(|numbers| numbers.join("."))
}

/// A version, and one that is like it: shorter, longer, without separators or with a part changed.
fn dotted_pair() -> impl Strategy<Value = (String, String)> {
    (dotted(), dotted(), 0..8_usize, 0..8_usize).prop_map(|(left, other, kind, at)| {
        let parts: Vec<&str> = left.split('.').collect();
        let at = at % parts.len();
        let right = match kind {
            0 => other,
            1 => parts[at..].join("."),
            2 => parts[..=at].join("."),
            3 => [&parts[..at], &parts[at..]].map(|parts| parts.join(".")).concat(),
            4 => format!("{left}.{other}"),
            5 => format!("{left}0"),
            6 => left.strip_prefix("20").filter(|rest| !rest.is_empty()).unwrap_or("20").to_owned(),
            _ => [&parts[..at], &[other.as_str()], &parts[at + 1..]].concat().join("."),
        };
        (left.clone(), right)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn other_rules_say_nothing_about_numbers_with_dots((left, right) in dotted_pair()) {
        let (left, right) = (Reading::of(&left), Reading::of(&right));
        let first = |rules: &[FurtherRule]| {
            rules.iter().find_map(|rule| {
                rule(&left, &right).or_else(|| rule(&right, &left).map(Stated::reversed))
            })
        };
        if left.is_dotted() && right.is_dotted() {
            prop_assert_eq!(first(&RULES_FOR_DOTTED), first(&FURTHER_RULES));
        }
    }

    #[test]
    fn numbers_with_dots_are_parsed_as_they_are_read((left, right) in dotted_pair()) {
        for text in [left, right] {
            prop_assert_eq!(Reading::of(&text).version, Version::parse(&text));
        }
    }
}
