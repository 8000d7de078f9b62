//! Versions that have lost separators, because a filter keeps only digits or only digits and dots.

use std::cmp::Ordering;

use super::{
    super::{
        number::Number,
        reading::Reading,
        version::Version,
        written::{Written, without_build},
    },
    Rule, Stated,
};

pub(super) fn run_together(joined: &Reading<'_>, spelled: &Reading<'_>) -> Option<Stated> {
    let is_joined = joined.is_dotted() && is_any_joined(joined.text, spelled.text);
    is_joined.then_some(Stated::Same(Rule::RunTogether))
}

/// Whether `joined` is `spelled` without some of its separators. Filters of labels keep only
/// digits and dots (`4.6.21` and `4.6.2-1`), keep only digits (`2681` and `26.8.1`), or remove the
/// first dot (`193.138` and `1.93.138`).
pub fn is_run_together(joined: &str, spelled: &str) -> bool {
    Written::read(joined).is_dotted() && is_any_joined(joined, spelled)
}

/// [`is_run_together`] for numbers with dots between them.
fn is_any_joined(joined: &str, spelled: &str) -> bool {
    // Whatever is lost, the first digit is the same.
    if joined.bytes().next() != spelled.bytes().find(u8::is_ascii_digit) {
        return false;
    }
    let is_kept = |spelled: &str| {
        count_of_numbers(without_zeros(joined)) < count_of_numbers(without_zeros(spelled))
            && (has_digits_and_dots(spelled, joined)
                || is_without_dots(joined, spelled)
                || is_without_first_dot(joined, spelled))
    };
    let release = without_build(spelled);
    is_kept(spelled) || (release.len() < spelled.len() && is_kept(release))
}

fn count_of_numbers(text: &str) -> usize {
    let mut before = false;
    let starts = text.bytes().filter(|byte| {
        let is_start = byte.is_ascii_digit() && !before;
        before = byte.is_ascii_digit();
        is_start
    });
    starts.count()
}

fn is_without_dots(joined: &str, spelled: &str) -> bool {
    // 10 is not 1.0, but 2680 is 26.8.0.
    const MIN_DIGITS_WITH_ZEROS: usize = 3;
    has_digits(without_zeros(spelled), joined)
        || (joined.len() >= MIN_DIGITS_WITH_ZEROS && has_digits(spelled, joined))
}

fn is_without_first_dot(joined: &str, spelled: &str) -> bool {
    const MIN_PARTS: usize = 3;
    let spelled = without_zeros(spelled);
    let is_shorter = || {
        let (first, rest) = spelled.split_once('.')?;
        Some(without_zeros(joined).strip_prefix(first)? == rest)
    };
    is_shorter() == Some(true) && {
        let written = Written::read(spelled);
        written.is_dotted() && written.count() >= MIN_PARTS
    }
}

/// The order of two versions of which one seems to have lost separators: `2681` is older than
/// `26.9.1`, although 2681 is greater than 26.
pub(super) fn order_of_joined(left: &Reading<'_>, right: &Reading<'_>) -> Option<Ordering> {
    let order = |joined: &Reading<'_>, spelled: &Reading<'_>| {
        if !joined.is_dotted() || is_of_one_scheme(joined, spelled) {
            return None;
        }
        let has_others = !spelled.is_dotted();
        let (joined, spelled) = (joined.text, spelled.text);
        // Without other separators than dots, there is nothing to lose between two digits.
        if has_others && let Some((number, other)) = last_numbers(joined, spelled) {
            return Some(number.cmp(&other));
        }
        let (joined, spelled) = (without_zeros(joined), without_zeros(without_build(spelled)));
        let (all, other) = (|| digits(joined), || digits(spelled));
        (has_joined_start(joined, spelled) && all().count() == other().count())
            .then(|| all().cmp(other()))
    };
    order(left, right).or_else(|| order(right, left).map(Ordering::reverse))
}

/// Whether both are only numbers and dots, and their first numbers are counted alike: then no
/// separator is lost.
fn is_of_one_scheme(left: &Reading<'_>, right: &Reading<'_>) -> bool {
    left.is_dotted()
        && right.is_dotted()
        && match (&left.version, &right.version) {
            (Some(left), Some(right)) => left.shares_scheme(right),
            _ => false,
        }
}

/// Whether `joined` could be another release of `spelled` that has lost separators.
pub fn seems_run_together(joined: &str, spelled: &str) -> bool {
    has_joined_start(without_zeros(joined), without_zeros(without_build(spelled)))
        || last_numbers(joined, spelled).is_some()
}

/// Whether the first number of `joined` is too large for the scheme of `spelled`, with about as many
/// digits in all: `2681` and `26.9.1`, `193.136` and `1.93.138`.
fn has_joined_start(joined: &str, spelled: &str) -> bool {
    let is_alike = digits(joined).next() == digits(spelled).next()
        && digits(joined).count().abs_diff(digits(spelled).count()) <= 1
        && count_of_numbers(joined) < count_of_numbers(spelled);
    if !is_alike {
        return false;
    }
    let (Some(version), Some(other)) = (Version::parse(joined), Version::parse(spelled)) else {
        return false;
    };
    Written::read(joined).is_dotted()
        && version.release.first() > other.release.first()
        && !version.shares_scheme(&other)
}

/// The last numbers of `joined` and of `spelled` without its separators, if the first is closer to
/// the second than to the number that `spelled` has in its place: 439 and 540 for `4.0.439` and
/// `4.0.5b40`.
fn last_numbers(joined: &str, spelled: &str) -> Option<(Number, Number)> {
    let kept = digits_and_dots(spelled);
    let (written, merged, separate) =
        (Written::read(joined), Written::read(&kept), Written::read(spelled));
    if !written.is_dotted() || !merged.is_dotted() || separate.count() <= merged.count() {
        return None;
    }
    let (number, front) = written.numbers().split_last()?;
    let (other, other_front) = merged.numbers().split_last()?;
    let alone = separate.numbers().get(front.len()).map_or(0, Number::value);
    let distance = |value: u64| number.value().abs_diff(value);
    (front == other_front && distance(other.value()) < distance(alone))
        .then(|| (number.clone(), other.clone()))
}

fn without_zeros(version: &str) -> &str {
    version.trim_end_matches(".0")
}

fn digits(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().filter(u8::is_ascii_digit)
}

/// Whether the digits of a text are these.
fn has_digits(text: &str, digits: &str) -> bool {
    self::digits(text).eq(digits.bytes())
}

pub(super) fn digits_and_dots(text: &str) -> String {
    let kept: String = text.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    kept.trim_matches('.').to_owned()
}

/// Whether the digits and dots of a text are these, which begin and end with a digit.
fn has_digits_and_dots(text: &str, kept: &str) -> bool {
    let is_kept = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let start = text.bytes().position(|byte| byte.is_ascii_digit()).unwrap_or(text.len());
    let end = text.bytes().rposition(|byte| byte.is_ascii_digit()).map_or(start, |last| last + 1);
    text.as_bytes()[start..end].iter().copied().filter(is_kept).eq(kept.bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::tests::rule, *};

    /// Versions that are often alike, with lost separators or without.
    fn version() -> impl Strategy<Value = String> {
        prop_oneof![
            "[012]{1,3}(\\.[012]{1,3}){0,4}",
            "[012]{1,3}([.,b-][012]{1,3}){0,3}(\\.0){0,2}",
            "v?20[12][0-9]\\.[0-9]{1,2}(\\.[0-9]{1,22}){0,2}",
            "[(+ ]?[0-3]{0,5}[,. ]{0,2}[0-3]{0,3}",
        ]
    }

    /// [`has_joined_start`] without shortcuts.
    fn has_whole_joined_start(joined: &str, spelled: &str) -> bool {
        let (Some(version), Some(other)) = (Version::parse(joined), Version::parse(spelled)) else {
            return false;
        };
        let (all, other_digits): (Vec<u8>, Vec<u8>) =
            (digits(joined).collect(), digits(spelled).collect());
        Written::read(joined).is_dotted()
            && Written::read(joined).count() < Written::read(spelled).count()
            && version.release.first() > other.release.first()
            && !version.shares_scheme(&other)
            && all.first() == other_digits.first()
            && all.len().abs_diff(other_digits.len()) <= 1
    }

    /// [`is_any_joined`] without shortcuts.
    fn is_any_wholly_joined(joined: &str, spelled: &str) -> bool {
        [spelled, without_build(spelled)].into_iter().any(|spelled| {
            count_of_numbers(without_zeros(joined)) < count_of_numbers(without_zeros(spelled))
                && (has_digits_and_dots(spelled, joined)
                    || is_without_dots(joined, spelled)
                    || is_without_first_dot(joined, spelled))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn shortcuts_lead_to_the_same_answers(joined in version(), spelled in version()) {
            prop_assert_eq!(
                has_joined_start(&joined, &spelled),
                has_whole_joined_start(&joined, &spelled)
            );
            let (left, right) = (Reading::of(&joined), Reading::of(&spelled));
            if left.is_dotted() {
                prop_assert_eq!(
                    is_any_joined(left.text, right.text),
                    is_any_wholly_joined(left.text, right.text)
                );
                prop_assert!(!right.is_dotted() || last_numbers(left.text, right.text).is_none());
            }
        }
    }

    #[test]
    fn lost_separators_are_recognized_by_the_digits() {
        for (joined, spelled) in [
            ("2681", "26.8.1"),
            ("2680", "26.8.0"),
            ("17", "1.7,2025.12"),
            ("4.6.21", "4.6.2-1"),
            ("6.5.2366", "6.5.2-366"),
            ("214", "2.14,2026.03"),
            ("0.1.05", "0.1.0b5"),
            ("193.138", "1.93.138.0"),
        ] {
            assert_eq!(rule(joined, spelled), Some(Rule::RunTogether), "{joined} and {spelled}");
            assert!(is_run_together(joined, spelled), "{joined} and {spelled}");
            assert!(!is_run_together(spelled, joined), "{spelled} and {joined}");
        }
        assert!(is_run_together("5.4.020109", "5.4.0,20109"), "the build, too");
        for (left, right) in [
            ("1.10", "1.1.0"),
            ("1.21", "12.1"),
            ("1.21", "1.2.1"),
            ("1.1", "1.10"),
            ("10", "1.0"),
            ("2681", "26.8.2"),
            ("4.6.21", "4.6.2.1"),
        ] {
            assert_eq!(rule(left, right), None, "{left} and {right}");
            assert!(!is_run_together(left, right), "{left} and {right}");
            assert!(!is_run_together(right, left), "{right} and {left}");
        }
    }

    #[test]
    fn joined_digits_are_not_newer_because_they_are_longer() {
        let less = Stated::Different(Some(Ordering::Less));
        for (older, newer) in [
            ("2681", "26.9.1"),
            ("26.8.1", "2691"),
            ("193.136", "1.93.138.0"),
            ("214", "2.15,2026.03"),
            ("4.0.439", "4.0.5b40"),
            ("4.6.2-1", "4.6.22"),
            ("4.6.2-1", "4.6.3"),
            ("5.4.020108", "5.4.0,20109"),
            ("9.1.2", "110"),
            ("0.12", "11"),
        ] {
            assert_eq!(Stated::compare(older, newer), less, "{older} before {newer}");
            assert_eq!(Stated::compare(newer, older), less.reversed(), "{newer} after {older}");
        }
    }
}
