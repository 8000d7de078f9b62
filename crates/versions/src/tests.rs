//! Version strings from real upstreams, and properties that hold for any text.

use std::{
    cmp::Ordering,
    collections::hash_map::DefaultHasher,
    hash::{Hash, Hasher},
};

use proptest::prelude::*;

use super::*;

fn version(text: &str) -> Version {
    Version::parse(text).unwrap_or_else(|| panic!("{text} should parse"))
}

fn hash(version: &Version) -> u64 {
    let mut hasher = DefaultHasher::new();
    version.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn spelling_does_not_count() {
    for (left, right) in [
        ("4.32", "4.32.0"),
        ("v4.32", "4.32"),
        ("1.02", "1.2"),
        ("1-2_3", "1.2.3"),
        (" 1.2 ", "1.2"),
        ("1.0RC1", "1-rc.1"),
        ("1.0b3", "1.0-beta.3"),
        (".1", "0.1"),
        ("1.2-universal", "1.2"),
        ("1.2_x86_64", "1.2"),
        ("3.0.24.84.Release", "3.0.24.84"),
        ("Version 2.0", "2.0"),
        ("8.0.5-build.1", "8.0.5 (1)"),
        ("5.0.4 [12]", "5.0.4,12"),
        ("2.93D", "2.93d"),
        ("v.1.2", "1.2"),
        ("v 4.32", "4.32"),
        ("1.0-build.1.2.0", "1.0 (1.2.0)"),
        (
            "1.9.0.1466-41d5cbac-7b93-3bdb-8bdf-e318704faa75",
            "1.9.0.1466,41d5cbac-7b93-3bdb-8bdf-e318704faa75",
        ),
    ] {
        assert_eq!(version(left), version(right), "{left} and {right}");
        assert_eq!(hash(&version(left)), hash(&version(right)), "{left} and {right}");
    }
}

#[test]
fn numbers_order_by_value_and_stages_before_their_release() {
    let ascending = [
        "0.9",
        "1.0-dev",
        "1.0-dev.2",
        "1.0a1",
        "1.0-alpha2",
        "1.0-beta",
        "1.0-beta1",
        "1.0-beta1u1",
        "1.0b3",
        "1.0-beta4",
        "1.0-rc",
        "1.0-rc1",
        "1.0",
        "1.0 (17)",
        "1.0 (18)",
        "1.0f1",
        "1.0f2",
        "1.0-HF1",
        "1.0w",
        "1.0.1",
        "1.9",
        "1.10",
        "2",
        "99999999999999999999998",
        "99999999999999999999999",
        "100000000000000000000000",
    ];
    for (position, left) in ascending.iter().enumerate() {
        for right in &ascending[position + 1..] {
            assert!(version(left) < version(right), "{left} before {right}");
            assert!(version(right) > version(left), "{right} after {left}");
        }
    }
}

/// One pair, older and newer, for each format of version that casks use.
#[test]
fn each_shape_of_the_casks_is_ordered() {
    for (older, newer) in [
        ("0.27.3", "0.28.0"),
        ("6.0,8999", "6.0,9001"),
        ("2024.3.2,243.23654.153", "2024.3.2,243.23654.154"),
        ("41560", "41561"),
        ("8.36.2-2", "8.36.2-3"),
        ("26.1.1,71,20260709162100", "26.1.1,72,20260709162100"),
        ("2.5.0-beta.9", "2.5.0-beta.12"),
        ("155.0b3", "155.0"),
        ("2.26.3_1", "2.26.3_2"),
        ("16.2,2026-06", "16.2,2026-07"),
        ("4,2023.07", "5,2023.07"),
        ("0.56.5", "0.56.6-beta"),
        ("1.4.13c", "1.4.13d"),
        ("6000.5.8f1,b57deb96f08d", "6000.5.9f1,b57deb96f08d"),
        ("3.2.0-RC3", "3.2.0"),
        ("3.3.23,250315_0520", "3.3.23,250315_0521"),
        ("20260718-0416", "20260718-0417"),
        ("2025-2", "2026-04"),
        ("8.0.4-build.1", "8.0.5-build.1"),
        ("1b5,2024.01", "1b12,2023.11"),
        ("1.0b", "1.1b"),
        ("1.0.0-alpha.5", "1.0.0-alpha.10"),
        ("1.51.0-72cf2b3c", "1.52.0-12cf2b3c"),
        ("1.1rc2", "1.1"),
        ("0.74-3,3", "0.74-4,3"),
        ("11.0.0-preview.7.26381.103", "11.0.0"),
        ("156.0a1,2026-08-22-06-50-07", "156.0a1,2026-08-22-10-20-29"),
        ("15.2.rel1", "15.3.rel1"),
        ("0.14.2+238", "0.14.2+239"),
        ("4.3.0-beta-20260819.1", "4.3.0-beta-20260820.1"),
        ("0.2026.08.19.08.15.stable_00", "0.2026.08.19.08.15.stable_01"),
        ("31.15.5330", "31.15.5330-HF1"),
        ("8.12.34-28.BETA", "8.12.34-29.BETA"),
        ("M138.0.7204.302", "M138.0.7204.303"),
        ("10.01.06L", "10.01.06M"),
        ("2026.1.3.8,quail3-patch1", "2026.1.4.5,quail4-rc1"),
        ("2023.2-u0", "2023.2-u1"),
        ("26.7.5.9-stable", "26.7.5.10-stable"),
        ("2026.08.10-e8db854", "2026.08.11-e8db854"),
        ("114.0.3-release.20250509.32955", "114.0.4-release.20250509.32955"),
        ("3633", "3633n"),
        ("4.0.0-canary.5", "4.0.0"),
        ("7.2.2-nightly.2", "7.2.2"),
        ("2026r01", "2026r02"),
        ("3.7.0beta11", "3.7.0"),
        ("4.1.2+m1", "4.1.3+m1"),
        ("7.2,2023.3,", "7.3,2023.3,"),
    ] {
        assert!(version(older) < version(newer), "{older} before {newer}");
    }
}

#[test]
fn what_cannot_be_ordered_is_not_parsed() {
    for text in [
        "",
        "latest",
        "2026-03-05",
        "2022_08_30",
        "2026-03-05-nightly",
        "2026-08-22_00-09-31,64e2a4f7",
        "$version",
        "1.0|2.0",
        "`date`",
        "abc",
        "v",
        "1.2/3",
        "１.2",
        "-1.0",
        "_1",
        "4.1.4js",
        "pnvdkzgk77dj10",
        "beta 1.2",
        "2.0.0.v20210717-M17",
        "universal",
        "ä1.2",
    ] {
        assert_eq!(Version::parse(text), None, "{text:?}");
    }
}

/// Parsing is linear, so long input must not be slow.
#[test]
fn long_input_is_read() {
    let numbers = "1.".repeat(200_000);
    assert!(Version::parse(&numbers).is_some());
    let digits = "9".repeat(1_000_000);
    assert!(version(&digits) < version(&format!("{digits}0")));
    assert_eq!(Version::parse(&"-universal".repeat(100_000)), None);
    assert_eq!(Version::parse(&"b1".repeat(200_000)), None);
    assert!(Version::parse(&format!("1{}", "b1".repeat(200_000))).is_some());
}

/// Plain versions have the same order as in Repology's libversion.
#[test]
fn plain_versions_order_as_the_peer_orders_them() {
    let texts = [
        "0.9", "1", "1.0", "1.0.1", "1.0alpha1", "1.0beta1", "1.0beta2", "1.0rc1", "1.1", "1.2.3",
        "1.10", "2.0", "2025.12", "2026.1", "2026.1.1", "10", "20260101",
    ];
    for left in texts {
        for right in texts {
            assert_eq!(
                version(left).cmp(&version(right)),
                libversion::version_compare2(left, right),
                "{left} and {right}"
            );
        }
    }
}

const SHAPE: &str =
    "v?[0-9]{1,3}([._-][0-9]{1,2}){0,3}(-?(rc|beta|b|a|dev|f|w)[0-9]?){0,2}(,[0-9a-c]{1,2})?";

proptest! {
    #[test]
    fn any_text_is_parsed_or_refused_without_a_panic(text in "\\PC*") {
        let _ = Version::parse(&text);
    }

    #[test]
    fn the_order_is_total_and_agrees_with_equality_and_hashing(
        texts in prop::collection::vec(SHAPE, 3)
    ) {
        let versions: Vec<_> = texts.iter().filter_map(|text| Version::parse(text)).collect();
        for a in &versions {
            prop_assert_eq!(a.cmp(a), Ordering::Equal);
            for b in &versions {
                prop_assert_eq!(a.cmp(b), b.cmp(a).reverse());
                prop_assert_eq!(a == b, a.cmp(b) == Ordering::Equal);
                if a == b {
                    prop_assert_eq!(hash(a), hash(b));
                }
                for c in &versions {
                    if a <= b && b <= c {
                        prop_assert!(a <= c, "{:?}", texts);
                    }
                }
            }
        }
    }

    #[test]
    fn plain_numbers_order_as_the_peer_orders_them(
        left in "[0-9]{1,4}([._-][0-9]{1,4}){0,4}",
        right in "[0-9]{1,4}([._-][0-9]{1,4}){0,4}",
    ) {
        if let (Some(a), Some(b)) = (Version::parse(&left), Version::parse(&right)) {
            prop_assert_eq!(a.cmp(&b), libversion::version_compare2(&left, &right));
        }
    }

    #[test]
    fn zeros_and_separators_never_count(
        numbers in prop::collection::vec(0_u32..100, 1..5),
        separators in prop::collection::vec(prop::sample::select(vec![".", "-", "_"]), 5),
    ) {
        let dotted = numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
        let mut spelled = String::new();
        for (number, separator) in numbers.iter().zip(&separators) {
            spelled.extend(["0", &number.to_string(), separator]);
        }
        spelled.push('0');
        prop_assert_eq!(Version::parse(&dotted), Version::parse(&spelled));
    }
}
