//! Versions: parsing, and their order. An input has up to three versions, one per line.

use std::{
    cmp::Ordering,
    hash::{BuildHasher, RandomState},
};

use appstitch_hostile::Chance;
use appstitch_text::check_found_version;
use appstitch_types::VersionOrder;
use appstitch_versions::{Version, compare_versions, is_lower_version};

use crate::target::{Target, TargetEntry, ensure, is_one_in};

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    input_bytes: 192,
    smoke_runs: 5000,
    ..TargetEntry::new("versions", || Ok(Box::new(Versions(RandomState::new()))))
};

const DICTIONARY: &[&str] = &[
    "\n", ".", "-", "+", "_", ",", " (", ")", "v", "V", "beta", "b1", "alpha", "rc", "rc.2", "dev",
    "pre", "build", "Build ", "r", "p1", "sp", "2026", "2026-03-05", "20260305", "00", "0",
    "1.0.0", ".0", "latest", "CE", "a", "z", "99999999999999999999", "%20", "é", "\u{0661}",
    "stable", "final", "hotfix", "update",
];

/// One in this many inputs is compared by the rules for releases, which take longer than parsing.
const COMPARED: u64 = 16;

struct Versions(RandomState);

impl Target for Versions {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        let text = String::from_utf8_lossy(input);
        let texts: Vec<&str> = text.split('\n').take(3).collect();
        for text in &texts {
            check_found(text)?;
        }
        if is_one_in(COMPARED, input) {
            pairs(&texts).try_for_each(|(left, right)| check_comparison(left, right))?;
        }
        let versions: Vec<Version> = texts.iter().filter_map(|text| Version::parse(text)).collect();
        for version in &versions {
            check_normal_form(version)?;
        }
        for (left, right) in pairs(&versions) {
            self.check_pair(left, right)?;
        }
        check_transitive(&versions)
    }

    fn generate(&mut self, chance: &mut Chance) -> Option<Vec<u8>> {
        let part = |chance: &mut Chance| match chance.below(4) {
            0 => chance.pick(DICTIONARY).to_owned(),
            _ => format!("{}.", chance.below(12)),
        };
        let parts = 1 + chance.below(14);
        Some((0..parts).map(|_| part(chance)).collect::<String>().into_bytes())
    }
}

impl Versions {
    fn check_pair(&self, left: &Version, right: &Version) -> Result<(), String> {
        let order = left.cmp(right);
        ensure(order == right.cmp(left).reverse(), || {
            format!("the order is antisymmetric: {left:?}, {right:?}")
        })?;
        ensure((order == Ordering::Equal) == (left == right), || {
            format!("versions of the same rank are equal: {left:?}, {right:?}")
        })?;
        ensure(left != right || self.0.hash_one(left) == self.0.hash_one(right), || {
            format!("equal versions have the same hash: {left:?}, {right:?}")
        })
    }
}

/// Every two of some items, and the first with itself.
fn pairs<T>(items: &[T]) -> impl Iterator<Item = (&T, &T)> {
    let two = items.iter().enumerate();
    let two =
        two.flat_map(|(place, left)| items[place + 1..].iter().map(move |right| (left, right)));
    items.first().map(|item| (item, item)).into_iter().chain(two)
}

fn check_transitive(versions: &[Version]) -> Result<(), String> {
    let mut sorted: Vec<&Version> = versions.iter().collect();
    sorted.sort();
    let is_ordered = (0..sorted.len()).all(|place| {
        let (before, from) = sorted.split_at(place);
        before.iter().all(|lower| from.iter().all(|higher| lower <= higher))
    });
    ensure(is_ordered, || format!("the order is transitive: {sorted:?}"))
}

/// What was accepted as a found version is accepted again as it is.
fn check_found(text: &str) -> Result<(), String> {
    let Ok(found) = check_found_version(text) else { return Ok(()) };
    ensure(check_found_version(found) == Ok(found), || {
        format!("an accepted version is accepted again: {text:?}, {found:?}")
    })
}

/// The comparison of releases does not depend on which version is given first.
fn check_comparison(left: &str, right: &str) -> Result<(), String> {
    let there = compare_versions(left, right);
    let back = compare_versions(right, left);
    let reversed = match back.order {
        VersionOrder::Older => VersionOrder::Newer,
        VersionOrder::Newer => VersionOrder::Older,
        same => same,
    };
    ensure(there.order == reversed && there.rule == back.rule, || {
        format!("a comparison can be turned around: {there:?}, {back:?}")
    })?;
    ensure(is_lower_version(left, right) == (there.order == VersionOrder::Older), || {
        format!("an older version is lower: {there:?}")
    })?;
    ensure(left != right || !there.a.parsed_ok || there.order == VersionOrder::Same, || {
        format!("a version is the same as itself: {there:?}")
    })
}

/// The normal form of a version is that version.
fn check_normal_form(version: &Version) -> Result<(), String> {
    let normal = version.normal_form();
    let parsed = Version::parse(&normal);
    ensure(parsed.as_ref() == Some(version), || {
        format!("a normal form is the same version: {version:?}, {normal:?}, {parsed:?}")
    })
}
