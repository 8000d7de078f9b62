//! Rules for builds, which a source can state, leave out or write elsewhere.

use std::cmp::{Ordering, Reverse};

use super::{
    super::{build::Build, number::Number, version::Version},
    Rule, Stated,
};

pub(super) const BUILD_DIGITS: usize = 4;

/// The minimum number of digits of a number that is compared with the other version's build.
const LONE_BUILD_DIGITS: usize = 3;

pub(super) fn compare(left: &Version, right: &Version) -> Stated {
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

/// Compares the builds of the same release. They are compared only if both versions have a build
/// of the same kind: a commit or a date cannot be compared with a build number.
fn compare_builds(left: &Version, right: &Version) -> Stated {
    let (Some(left), Some(right)) = (&left.build, &right.build) else {
        let has_build = left.build.is_some() || right.build.is_some();
        return Stated::Same(if has_build { Rule::BuildOnOneSide } else { Rule::SameVersion });
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
    let padding = front.strip_prefix(&*short.release)?;
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
    let [number] = &*lone.release else { return lone_dotted_build(lone, full, build) };
    // If the number is no longer than the first number of the other version, it is a version.
    let is_longer = full.release.first().is_none_or(|first| first.length() < number.length());
    if number.length() < LONE_BUILD_DIGITS || !is_longer {
        return None;
    }
    if build.contains(number) {
        return Some(Stated::Same(Rule::BuildAlone));
    }
    let other = build.number().filter(|other| other.length() == number.length())?;
    Some(Stated::Different(Some(number.cmp(other))))
}

/// Compares `17.68.203` with the build of `17.0.20.1,17.68.203`. It is a build if it has as many
/// numbers as the build and is closer to it than to the release.
fn lone_dotted_build(lone: &Version, full: &Version, build: &Build) -> Option<Stated> {
    let numbers = build.numbers()?;
    let release: Vec<&Number> = full.release.iter().collect();
    let is_build = numbers.len() == lone.release.len()
        && distance(&lone.release, &numbers) < distance(&lone.release, &release);
    is_build.then(|| match lone.release.iter().cmp(numbers) {
        Ordering::Equal => Stated::Same(Rule::BuildAlone),
        order => Stated::Different(Some(order)),
    })
}

/// How far two versions are apart: fewer equal first numbers, then the difference of the next ones.
fn distance(left: &[Number], right: &[&Number]) -> (Reverse<usize>, u64) {
    let equal = left.iter().zip(right).take_while(|(left, right)| left == *right).count();
    let value = |number: Option<&Number>| number.map_or(0, Number::value);
    (Reverse(equal), value(left.get(equal)).abs_diff(value(right.get(equal).copied())))
}
