//! Whether the numbers of two versions can be compared, and their order.
//!
//! The versions are known to be different releases. Their order counts only if the first number
//! that differs is counted in the same way on both sides.

use std::{borrow::Cow, cmp::Ordering};

use appstitch_versions::{
    Version,
    number::Number,
    reading::Reading,
    stated::Stated,
    written::{Written, without_build},
};

use appstitch_types::inventory::CheckRule;

/// The parts of a release; what follows is a build.
const RELEASE_PARTS: usize = 3;

pub(super) enum Compared {
    Same(CheckRule),
    Order(Ordering),
    Unknown(CheckRule),
}

pub(super) fn compare_parts(
    installed: &Reading<'_>,
    version: &Reading<'_>,
    is_complete: bool,
) -> Compared {
    let (numbers, stated) = (release_numbers(installed), release_numbers(version));
    if numbers.is_empty() || stated.is_empty() {
        return Compared::Unknown(CheckRule::Unordered);
    }
    let order = match (&installed.version, &version.version) {
        (Some(left), Some(right)) if left.shares_scheme(right) => left.cmp(right),
        (Some(_), Some(_)) => return other_scheme(installed, version, &numbers, &stated),
        _ => return Compared::Unknown(CheckRule::Unordered),
    };
    if is_build_alone(&numbers, &stated) || is_build_alone(&stated, &numbers) {
        return Compared::Unknown(CheckRule::OtherScheme);
    }
    // A build in brackets can be a part of the other version, and the other way around.
    if let Some(all) = with_build(installed, &numbers, &stated) {
        return by_numbers(all, &stated);
    }
    if let Some(all) = with_build(version, &stated, &numbers) {
        return by_numbers(&numbers, all);
    }
    match first_difference(&numbers, &stated) {
        Some((left, right)) if is_comparable(left, right) => in_order(left.cmp(right), order),
        Some(_) => Compared::Unknown(CheckRule::OtherScheme),
        // A stage, a letter or a build differs.
        None if numbers.len() == stated.len() => match Stated::compare_read(installed, version) {
            Stated::Different(Some(order)) => Compared::Order(order),
            _ => Compared::Unknown(CheckRule::Unordered),
        },
        None if numbers.len() < stated.len() => {
            let is_longer = is_complete
                && numbers.len() < RELEASE_PARTS
                && stated[numbers.len()..].iter().all(is_small);
            if is_longer { Compared::Order(order) } else { Compared::Unknown(CheckRule::MoreParts) }
        }
        None if stated.len() >= RELEASE_PARTS => Compared::Same(CheckRule::BuildBehind),
        None if numbers[stated.len()..].iter().all(is_small) => Compared::Order(Ordering::Greater),
        None => Compared::Unknown(CheckRule::MoreParts),
    }
}

fn release_numbers<'a>(reading: &'a Reading<'_>) -> Cow<'a, [Number]> {
    let release = if reading.is_dotted() { reading.text } else { without_build(reading.text) };
    if release.len() == reading.text.len() {
        Cow::Borrowed(reading.written.numbers())
    } else {
        Cow::Owned(Written::read(release).numbers().to_vec())
    }
}

/// Whether a version is one large number, which counts builds, and the other one is a release: 250 and
/// 26.4. Years have the same length.
fn is_build_alone(numbers: &[Number], other: &[Number]) -> bool {
    const MIN_DIGITS: usize = 3;
    matches!((numbers, other), ([build], [first, _, ..])
        if build.length() >= MIN_DIGITS && build.length() != first.length())
}

/// All numbers of a version, if those of its build make it as long as the other one.
fn with_build<'a>(
    reading: &'a Reading<'_>,
    numbers: &[Number],
    other: &[Number],
) -> Option<&'a [Number]> {
    let all = reading.written.numbers();
    (numbers.len() < other.len() && all.len() == other.len()).then_some(all)
}

/// The order of versions that have all their numbers in common.
fn by_numbers(numbers: &[Number], stated: &[Number]) -> Compared {
    match first_difference(numbers, stated) {
        Some((left, right)) if is_comparable(left, right) => Compared::Order(left.cmp(right)),
        _ => Compared::Unknown(CheckRule::OtherScheme),
    }
}

/// The order of the numbers, unless the versions have another one: then a part is not what it seems.
fn in_order(numbers: Ordering, versions: Ordering) -> Compared {
    if numbers == versions {
        Compared::Order(numbers)
    } else {
        Compared::Unknown(CheckRule::OtherScheme)
    }
}

/// Compares versions whose first numbers are counted differently. One of them can have one more part
/// in front (`137.1.79.123` and `1.79.123`), or the catalog's version stands behind a comma.
fn other_scheme(
    installed: &Reading<'_>,
    version: &Reading<'_>,
    numbers: &[Number],
    stated: &[Number],
) -> Compared {
    const MIN_PARTS: usize = 3;
    let stated = without_zeros(stated);
    let shifted = |long: &[Number], short: &[Number]| {
        long.len() > MIN_PARTS - 1 && !short.is_empty() && long.get(1) == short.first()
    };
    let order = if shifted(numbers, stated) {
        first_difference(&numbers[1..], stated)
    } else if shifted(stated, numbers) {
        first_difference(numbers, &stated[1..])
    } else {
        return behind_comma(installed, version);
    };
    match order {
        Some((left, right)) if is_comparable(left, right) => Compared::Order(left.cmp(right)),
        Some(_) => Compared::Unknown(CheckRule::OtherScheme),
        None if numbers.len().abs_diff(stated.len()) == 1 => Compared::Same(CheckRule::PartBefore),
        None => Compared::Unknown(CheckRule::MoreParts),
    }
}

/// Compares with the parts behind a comma that are versions, as in `183,9.2.321`.
fn behind_comma(installed: &Reading<'_>, version: &Reading<'_>) -> Compared {
    let written = &installed.written;
    let orders = version.text.split(',').skip(1).filter_map(|part| {
        let stated = Written::read(part);
        let is_alike = written.is_dotted()
            && stated.is_dotted()
            && written.count() > 1
            && written.count() == stated.count();
        if !is_alike {
            return None;
        }
        let shares = installed.version.as_ref()?.shares_scheme(&Version::parse(part)?);
        let (left, right) =
            first_difference(written.numbers(), stated.numbers()).filter(|_| shares)?;
        is_comparable(left, right).then(|| left.cmp(right))
    });
    orders.last().map_or(Compared::Unknown(CheckRule::OtherScheme), Compared::Order)
}

/// The order of an installed build and a part of the catalog's version, if both are builds: with the
/// same number of parts, and about as long.
pub(super) fn compare_builds(build: &Reading<'_>, part: &str) -> Option<Ordering> {
    const MIN_DIGITS: usize = 3;
    let (written, stated) = (&build.written, Written::read(part));
    if !written.is_dotted() || !stated.is_dotted() || written.count() != stated.count() {
        return None;
    }
    let (numbers, stated) = (written.numbers(), stated.numbers());
    let Some((left, right)) = first_difference(numbers, stated) else {
        return Some(Ordering::Equal);
    };
    let is_alike = if numbers.len() == 1 {
        left.length() == right.length() && left.length() >= MIN_DIGITS
    } else {
        build.version.as_ref()?.shares_scheme(&Version::parse(part)?) && is_comparable(left, right)
    };
    is_alike.then(|| left.cmp(right))
}

/// Whether a build is the short version with further parts: `116.0.6` and `116.0`.
pub(super) fn is_longer_form(build: &Reading<'_>, short: &Reading<'_>) -> bool {
    let is_longer = |short: &Written<'_>| {
        short.is_dotted()
            && short.count() > 1
            && build.written.count() > short.count()
            && build.written.numbers().starts_with(short.numbers())
    };
    if !build.is_dotted() {
        return false;
    }
    if short.is_dotted() {
        return is_longer(&short.written);
    }
    let release = without_build(short.text);
    release.len() < short.text.len() && is_longer(&Written::read(release))
}

fn without_zeros(numbers: &[Number]) -> &[Number] {
    let kept = numbers.iter().rposition(|number| !number.is_zero()).map_or(0, |last| last + 1);
    &numbers[..kept]
}

/// The first numbers that differ in a part that both versions have.
fn first_difference<'a>(
    left: &'a [Number],
    right: &'a [Number],
) -> Option<(&'a Number, &'a Number)> {
    left.iter().zip(right).find(|(left, right)| left != right)
}

/// Whether two numbers count the same thing. A release and a date or a build do not: in 16.95.3 and
/// 16.95.25032931 the last parts differ by far more than releases do.
fn is_comparable(left: &Number, right: &Number) -> bool {
    const MAX_DIGITS: usize = 4;
    const MAX_FACTOR: u64 = 100;
    let (low, high) = if left < right { (left, right) } else { (right, left) };
    high.length() <= MAX_DIGITS || high.value() <= low.value().max(1).saturating_mul(MAX_FACTOR)
}

/// Whether a number can count small releases.
fn is_small(number: &Number) -> bool {
    const MAX_DIGITS: usize = 2;
    number.length() <= MAX_DIGITS
}
