//! Rules for releases that are written in another notation.

use super::{
    super::{
        number::Number,
        reading::Reading,
        suffix::SuffixKind,
        written::{Written, has_letters, sets_off_build, without_build},
    },
    Rule, Stated,
    builds::BUILD_DIGITS,
};

/// `long` is `short` with a number after a dash or an underscore: `8.36.2` and `8.36.2-3`. Such
/// numbers count the builds of one release. After a single number (`2025-2`) it is a part of the
/// version.
pub(super) fn build_behind_dash(short: &Reading<'_>, long: &Reading<'_>) -> Option<Stated> {
    if long.is_dotted() {
        return None;
    }
    let (front, build) = without_build(long.text).rsplit_once(['-', '_'])?;
    let is_build = !build.is_empty() && build.bytes().all(|byte| byte.is_ascii_digit());
    if !is_build {
        return None;
    }
    let front = Reading::of(front);
    let is_release = front.is_dotted() && front.written.count() > 1;
    let is_same = || Stated::compare_parsed(short, &front) == Stated::Same(Rule::SameVersion);
    (is_release && is_same()).then_some(Stated::Same(Rule::BuildBehind))
}

/// The numbers are the same, and only one version has a comma, a plus sign or brackets before the
/// build: `8u502-b07` and `8,502,07`, `4.51.0.7` and `4.51.0,7`.
pub(super) fn same_numbers(left: &Reading<'_>, right: &Reading<'_>) -> Option<Stated> {
    if left.is_dotted() && right.is_dotted() {
        return None;
    }
    let (left, right) = (&left.written, &right.written);
    let has_words = |written: &Written<'_>| {
        has_letters(written.behind())
            || has_letters(written.before().trim_start_matches(['v', 'V']))
    };
    if left.count() != right.count() || has_words(left) || has_words(right) {
        return None;
    }
    let separators = || left.between().iter().zip(right.between());
    let is_set_off = |(left, right): (&&str, &&str)| sets_off_build(left) != sets_off_build(right);
    let build = separators().position(is_set_off)?;
    // A comma can stand for the letter before a build (b07), but not for a stage.
    let agree = |(left, right): (&&str, &&str)| {
        (sets_off_build(left) && !is_stage(letters(right)))
            || (sets_off_build(right) && !is_stage(letters(left)))
            || left.eq_ignore_ascii_case(right)
            || (!has_letters(left) && !has_letters(right))
    };
    if !separators().all(agree) {
        return None;
    }
    let (numbers, other_numbers) = (left.numbers(), right.numbers());
    if numbers == other_numbers {
        return Some(Stated::Same(Rule::SameNumbers));
    }
    // The order of builds, if both numbers are builds: 8u492-b09 is older than 8,502,07, but 5.4.1
    // is newer than 5.4,2.
    let differs = numbers.iter().zip(other_numbers).position(|(left, right)| left != right)?;
    let is_marked = separators().nth(build).is_some_and(|(left, right)| {
        has_letters(left) || has_letters(right) || build >= MIN_RELEASE_PARTS - 1
    });
    (differs > build && is_marked)
        .then(|| Stated::Different(Some(numbers[differs].cmp(&other_numbers[differs]))))
}

/// A version of this many parts is complete, so a further part is a build.
pub(super) const MIN_RELEASE_PARTS: usize = 3;

/// The release between a leading release code and builds: `8.18.0` in `2603-8.18.0-24230061568`.
pub fn release_inside(text: &str) -> Option<&str> {
    let mut pieces = without_build(text).split('-');
    let is_number = |piece: &str| !piece.is_empty() && piece.bytes().all(|b| b.is_ascii_digit());
    let code = pieces.next()?;
    let inside = pieces.next()?;
    let is_wrapped = is_number(code) && code.len() >= BUILD_DIGITS && pieces.all(is_number);
    (is_wrapped && is_dotted_version(&Written::read(inside))).then_some(inside)
}

/// Numbers with dots between them, at least two.
fn is_dotted_version(written: &Written<'_>) -> bool {
    written.is_dotted() && written.count() > 1
}

/// `wrapped` has its release inside: `8.18.0` and `2603-8.18.0-24230061568`.
pub(super) fn version_inside(version: &Reading<'_>, wrapped: &Reading<'_>) -> Option<Stated> {
    if wrapped.is_dotted() || !is_dotted_version(&version.written) {
        return None;
    }
    let inside = Reading::of(release_inside(wrapped.text)?);
    Some(Stated::compare_parsed(version, &inside).because(Rule::VersionInside))
}

/// One version starts with the year, the other with its last two digits: `2026.2.1` and `26.2.1`.
pub(super) fn short_year(long: &Reading<'_>, short: &Reading<'_>) -> Option<Stated> {
    let year = |written: &Written<'_>| {
        let starts = written.before().is_empty() && written.count() > 1;
        starts.then(|| written.numbers().first().map(Number::value)).flatten()
    };
    let (full, digits) = (year(&long.written)?, year(&short.written)?);
    let is_year = (2010..2100).contains(&full) && full.checked_sub(2000) == Some(digits);
    let without_century = long.text.strip_prefix("20").filter(|_| is_year)?;
    let without_century = Reading::of(without_century);
    Some(Stated::compare_parsed(&without_century, short).because(Rule::ShortYear))
}

/// One version has a word before or behind it that says nothing about the order: `Build 4200` and
/// `4200`, `8.0.47.CE` and `8.0.47`. Two different words are a difference.
pub(super) fn word_on_one_side(with: &Reading<'_>, without: &Reading<'_>) -> Option<Stated> {
    if with.is_dotted() {
        return None;
    }
    let shorter = without_words(with.text)?;
    if without_words(without.text).is_some() {
        return None;
    }
    match Stated::compare_parsed(&Reading::of(shorter), without) {
        Stated::Same(_) => Some(Stated::Same(Rule::WordOnOneSide)),
        Stated::Different(_) => None,
    }
}

/// The text without a word at its start and at its end; `None` if there is none. Only a word with a
/// separator before the number counts, and no stage: `1.0-beta` is not `1.0`.
pub fn without_words(text: &str) -> Option<&str> {
    const SEPARATORS: [char; 4] = [' ', '-', '_', '.'];
    let is_letter = |character: char| character.is_ascii_alphabetic();
    let mut rest = text;
    let behind = rest.trim_start_matches(is_letter);
    let word = &rest[..rest.len() - behind.len()];
    if !word.is_empty() && behind.starts_with(SEPARATORS) && !is_stage(word) {
        rest = behind.trim_start_matches(SEPARATORS);
    }
    let front = rest.trim_end_matches(is_letter);
    let word = &rest[front.len()..];
    if !word.is_empty() && front.ends_with(SEPARATORS) && !is_stage(word) {
        rest = front.trim_end_matches(SEPARATORS);
    }
    (rest.len() < text.len() && !rest.is_empty()).then_some(rest)
}

/// Whether a word of several letters names a stage before a release.
fn is_stage(word: &str) -> bool {
    SuffixKind::of(&word.to_ascii_lowercase(), false).is_some()
}

/// The text without what is around its letters.
fn letters(text: &str) -> &str {
    text.trim_matches(|character: char| !character.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::{super::tests::rule, *};

    #[test]
    fn a_number_behind_a_dash_is_a_build() {
        for (left, right) in [
            ("8.36.2", "8.36.2-3"),
            ("2026.07", "2026.07-1"),
            ("4.21", "4.21.0_12"),
            ("0.74", "0.74-3,3"),
        ] {
            assert_eq!(rule(left, right), Some(Rule::BuildBehind), "{left} and {right}");
        }
        for (left, right) in [
            ("8.36.2-4", "8.36.2-3"),
            ("8.36.1", "8.36.2-3"),
            ("2025", "2025-2"),
            ("8.36.2", "8.36.2-rc3"),
            ("8.36.2,5", "8.36.2-3"),
        ] {
            assert_eq!(rule(left, right), None, "{left} and {right}");
        }
    }

    #[test]
    fn the_same_numbers_agree_however_the_build_is_set_off() {
        for (left, right) in [
            ("8u502-b07", "8,502,07"),
            ("4.51.0.7", "4.51.0,7"),
            ("3.24 R0004", "3.24,R0004"),
            ("4.32,1", "4.32.1"),
        ] {
            assert_eq!(rule(left, right), Some(Rule::SameNumbers), "{left} and {right}");
        }
        for (left, right) in [
            ("1.0b3", "1.0.3"),
            ("4.51.0.7", "4.51.0,8"),
            ("4.51.0-beta7", "4.51.0,7"),
            ("1.0-rc1", "1.0.1"),
            ("1.2", "2,1"),
        ] {
            assert_eq!(rule(left, right), None, "{left} and {right}");
        }
    }

    #[test]
    fn builds_are_ordered_in_any_notation() {
        let less = Stated::Different(Some(Ordering::Less));
        for (older, newer) in [
            ("8u492-b09", "8,502,07"),
            ("8u502-b06", "8,502,07"),
            ("4.51.0.7", "4.51.0,8"),
            ("5.4,2", "5.4.1"),
            ("4.51.0,9", "4.51.1.2"),
        ] {
            assert_eq!(Stated::compare(older, newer), less, "{older} before {newer}");
            assert_eq!(Stated::compare(newer, older), less.reversed(), "{newer} after {older}");
        }
    }

    #[test]
    fn a_release_between_other_numbers_is_found() {
        assert_eq!(rule("8.18.0", "2603-8.18.0-24230061568,AB_2603"), Some(Rule::VersionInside));
        assert_eq!(rule("8.18", "2603-8.18.0"), Some(Rule::VersionInside));
        for other in ["11.0.0-preview.7.26381.103", "2603-8.19.0-24230061568", "26-8.18.0"] {
            assert_eq!(rule("8.18.0", other), None, "{other}");
        }
        assert_eq!(
            Stated::compare("8.20.0", "2603-8.18.0-24230061568"),
            Stated::Different(Some(Ordering::Greater)),
            "2603 is not a part of the release"
        );
    }

    #[test]
    fn a_year_can_have_two_digits() {
        assert_eq!(rule("26.2.242.76", "2026.2.242.76"), Some(Rule::ShortYear));
        assert_eq!(
            Stated::compare("26.3", "2026.2.1"),
            Stated::Different(Some(Ordering::Greater)),
            "the rest decides"
        );
        for (left, right) in [("25.2", "2026.2"), ("26", "2026"), ("26.2", "1926.2")] {
            assert_eq!(rule(left, right), None, "{left} and {right}");
        }
    }

    #[test]
    fn a_word_on_one_side_is_no_disagreement() {
        for (left, right) in
            [("Build 4200", "4200"), ("8.0.47.CE", "8.0.47"), ("2026-06-R", "4.40,2026-06")]
        {
            assert_eq!(rule(left, right), Some(Rule::WordOnOneSide), "{left} and {right}");
        }
        for (left, right) in [
            ("Build 4201", "4200"),
            ("8.0.47.CE", "8.0.46"),
            ("8.0.47.CE", "8.0.47.EE"),
            ("beta 8.0", "8.0"),
            ("Build", "4200"),
        ] {
            assert_eq!(rule(left, right), None, "{left} and {right}");
        }
    }
}
