//! Rules for versions that lack a part: sources that leave it out, and filters that lose it.

use super::{
    super::{
        number::Number,
        reading::Reading,
        written::{Written, has_letters, without_build},
    },
    Rule, Stated,
    builds::BUILD_DIGITS,
    joined::digits_and_dots,
};

/// The minimum number of digits of a part that cannot be a count of small releases. A source that is
/// only behind is a few releases behind, so such a part is missing because the source leaves it
/// out. `position` is the number of parts before it.
const fn min_digits(position: usize) -> usize {
    match position {
        2 => 3,
        _ => 2,
    }
}

/// `short` has the first parts of `long`, and the parts that it lacks are builds: `8.34` and
/// `8.34.26223.11002`, `23.0.32` and `23.0.32.91`, `15` and `15.80.4`. But `4.32` is the release
/// before `4.32.1`.
pub(super) fn says_less(short: &Reading<'_>, long: &Reading<'_>) -> Option<Stated> {
    let written = &short.written;
    let (stated, full) = (short.version.as_ref()?, long.version.as_ref()?);
    if !written.is_dotted() || stated.build.is_some() || !full.suffixes.is_empty() {
        return None;
    }
    let further = full.release.strip_prefix(written.numbers())?;
    let zeros = further.iter().take_while(|number| number.is_zero()).count();
    let first = further.get(zeros)?;
    let position = written.count() + zeros;
    let has_build = further.iter().any(|number| number.length() >= BUILD_DIGITS);
    let is_left_out = first.length() >= min_digits(position)
        && (position > 1 || full.release.len() > position + 1);
    ((position > 1 && has_build) || is_left_out).then_some(Stated::Same(Rule::SaysLess))
}

/// `bare` is `full` without the letters behind its last number: `1.21.15` and `1.21.15b`, `2.1.7`
/// and `2.1.7-beta`. A stage with a number is another release: filters leave its number. A single
/// `a` is the first patch of a release, so a source without it can be behind.
pub(super) fn letters_lost(bare: &Reading<'_>, full: &Reading<'_>) -> Option<Stated> {
    if !bare.is_dotted() || full.is_dotted() {
        return None;
    }
    let release = without_build(full.text);
    let spelled = Written::read(release);
    let is_lost = has_letters(spelled.behind())
        && !spelled.behind().eq_ignore_ascii_case("a")
        && spelled.before().is_empty()
        && !spelled.between().iter().any(|separator| has_letters(separator))
        && digits_and_dots(release) == bare.text;
    is_lost.then_some(Stated::Same(Rule::LettersLost))
}

/// `short` is the decimal number `long` without the zero at its end: `7.3` and `7.30`. As releases
/// they would be 27 apart; `1.1` and `1.10` may well be different releases.
pub(super) fn zero_lost(short: &Reading<'_>, long: &Reading<'_>) -> Option<Stated> {
    const MIN_TENTHS: u64 = 2;
    const MAX_MAJOR_DIGITS: usize = 3;
    let is_pair = short.is_dotted() && short.written.count() == 2;
    if !is_pair || long.text.strip_suffix('0') != Some(short.text) {
        return None;
    }
    let (major, tenths) = short.text.split_once('.')?;
    let is_decimal = tenths.len() == 1
        && Number::new(tenths).value() >= MIN_TENTHS
        && Number::new(major).length() <= MAX_MAJOR_DIGITS;
    is_decimal.then_some(Stated::Same(Rule::ZeroLost))
}

/// `rest` is `full` without its first part: `0.5.1` and `2.0.5.1`. With fewer than three parts,
/// or with only zeros behind the first, equal numbers are a coincidence.
pub(super) fn first_part_lost(rest: &Reading<'_>, full: &Reading<'_>) -> Option<Stated> {
    lacks_first_part(&rest.written, &full.written).then_some(Stated::Same(Rule::FirstPartLost))
}

pub fn is_first_part_lost(rest: &str, full: &str) -> bool {
    lacks_first_part(&Written::read(rest), &Written::read(full))
}

fn lacks_first_part(rest: &Written<'_>, full: &Written<'_>) -> bool {
    const MIN_PARTS: usize = 3;
    let numbers = rest.numbers();
    rest.is_dotted()
        && full.is_dotted()
        && numbers.len() >= MIN_PARTS
        && full.numbers().get(1..) == Some(numbers)
        && numbers.iter().skip(1).any(|number| !Number::is_zero(number))
}

#[cfg(test)]
mod tests {
    use super::{super::tests::rule, *};

    #[test]
    fn a_version_may_leave_out_what_is_no_count_of_releases() {
        for (left, right) in [
            ("8.34", "8.34.26223.11002"),
            ("7.3", "7.3.7.1327"),
            ("23.0.32", "23.0.32.91"),
            ("4.32.0", "4.32.0.12"),
            ("3.2.81", "3.2.81.60,8bf3ce2a"),
            ("3.32", "3.32.721"),
            ("2026.8", "2026.8.1100"),
            ("15", "15.80.4"),
        ] {
            assert_eq!(rule(left, right), Some(Rule::SaysLess), "{left} and {right}");
        }
        for (left, right) in [
            ("11.5", "11.5.1"),
            ("11.5.0", "11.5.1"),
            ("4.32", "4.32.12"),
            ("3.1.10", "3.1.10.1"),
            ("2.4", "2.4.3.1"),
            ("15.0", "15.80.4"),
            ("15", "15.80"),
            ("15", "15.1.2"),
            ("3", "3.8.2.6009"),
            ("8.33", "8.34.26223.11002"),
            ("8.34", "8.34.26223-beta"),
        ] {
            assert_eq!(rule(left, right), None, "{left} and {right}");
        }
    }

    #[test]
    fn lost_letters_are_no_disagreement_but_a_numbered_stage_is() {
        for (left, right) in [("1.21.15", "1.21.15b"), ("2.1.7", "2.1.7-beta")] {
            assert_eq!(rule(left, right), Some(Rule::LettersLost), "{left} and {right}");
        }
        for (left, right) in [
            ("155.0", "155.0b3"),
            ("155.0.3", "155.0-beta.3"),
            ("1.21.15a", "1.21.15b"),
            ("1.21.14", "1.21.15b"),
            ("8.30", "8.30a"),
        ] {
            assert_eq!(rule(left, right), None, "{left} and {right}");
        }
    }

    #[test]
    fn a_zero_at_the_end_of_a_decimal_is_no_disagreement() {
        assert_eq!(rule("7.3", "7.30"), Some(Rule::ZeroLost));
        for (left, right) in [
            ("1.1", "1.10"),
            ("7.3.1", "7.3.10"),
            ("7.3", "7.300"),
            ("7.12", "7.120"),
            ("2026.3", "2026.30"),
            ("3", "30"),
        ] {
            assert_eq!(rule(left, right), None, "{left} and {right}");
        }
    }

    #[test]
    fn a_lost_first_part_is_no_disagreement() {
        assert_eq!(rule("0.5.0", "2.0.5.0"), Some(Rule::FirstPartLost));
        for (left, right) in
            [("5.0.0", "2.5.0.0"), ("5.1", "2.5.1"), ("0.3.0", "2.0.5.0"), ("5.1.2", "3.2.5.1.2")]
        {
            assert_eq!(rule(left, right), None, "{left} and {right}");
        }
    }
}
