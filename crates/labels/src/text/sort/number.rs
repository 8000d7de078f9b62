//! Numbers at the start of a text.

use std::cmp::Ordering;

use crate::number::leading;

/// Compares by the decimal numbers at the start, of any length. Text without a number counts as 0.
pub(super) fn compare(left: &str, right: &str) -> Ordering {
    let (left, right) = (Decimal::parse(left), Decimal::parse(right));
    match (left.negative, right.negative) {
        (false, true) => Ordering::Greater,
        (true, false) => Ordering::Less,
        (false, false) => left.compare(&right),
        (true, true) => right.compare(&left),
    }
}

struct Decimal<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
}

impl<'a> Decimal<'a> {
    fn parse(text: &'a str) -> Self {
        let text = text.trim_start_matches([' ', '\t']);
        let (negative, text) = match text.strip_prefix('-') {
            Some(text) => (true, text),
            None => (false, text),
        };
        let (whole, rest) = digits(text);
        let fraction = rest.strip_prefix('.').map_or("", |rest| digits(rest).0);
        let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
        // There is no negative zero.
        let negative = negative && !(whole.is_empty() && fraction.is_empty());
        Self { negative, whole, fraction }
    }

    fn compare(&self, other: &Self) -> Ordering {
        let by_length = self.whole.len().cmp(&other.whole.len());
        by_length.then(self.whole.cmp(other.whole)).then(self.fraction.cmp(other.fraction))
    }
}

fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// The number that `strtod` reads at the start. Text without a number comes first.
pub(super) fn general(text: &str) -> f64 {
    leading(text).map_or(f64::NEG_INFINITY, |(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_of_any_length_are_compared() {
        assert_eq!(compare("10", "9"), Ordering::Greater);
        assert_eq!(compare(" 1.5x", "1.50"), Ordering::Equal);
        assert_eq!(compare("-2", "-1"), Ordering::Less);
        assert_eq!(compare("-0", "x"), Ordering::Equal);
        assert_eq!(
            compare("99999999999999999999999", "99999999999999999999998"),
            Ordering::Greater
        );
    }
}
