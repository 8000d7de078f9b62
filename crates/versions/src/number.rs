//! Numbers of any length.

use std::{borrow::Cow, cmp::Ordering};

/// A whole number of any length. Leading zeros are not kept.
///
/// Comparing versions makes many of them, so the usual ones are kept without an allocation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Number {
    /// At most `SHORT` digits.
    Short(u64),
    /// More digits, without leading zeros.
    Long(Box<str>),
}

/// Every number of this many digits fits.
const SHORT: usize = 19;

impl Number {
    /// `digits` must be ASCII digits.
    pub fn new(digits: &str) -> Self {
        let value = |digits: &str| {
            digits.bytes().fold(0, |value, digit| value * 10 + u64::from(digit - b'0'))
        };
        if digits.len() <= SHORT {
            return Self::Short(value(digits));
        }
        let digits = digits.trim_start_matches('0');
        if digits.len() > SHORT {
            return Self::Long(digits.into());
        }
        Self::Short(value(digits))
    }

    pub fn is_zero(&self) -> bool {
        *self == Self::Short(0)
    }

    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Short(value) => value.to_string().into(),
            Self::Long(digits) => Cow::Borrowed(digits),
        }
    }

    /// Whether the number looks like a date in a build: 20260822, with or without the time.
    pub(crate) fn is_day(&self) -> bool {
        match self {
            Self::Short(value) => value
                .checked_ilog10()
                .is_some_and(|last| last >= 7 && value / 10_u64.pow(last - 1) == 20),
            Self::Long(digits) => digits.starts_with("20"),
        }
    }

    pub fn value(&self) -> u64 {
        match self {
            Self::Short(value) => *value,
            Self::Long(digits) => digits.parse().unwrap_or(u64::MAX),
        }
    }

    /// The number of digits without leading zeros: none for zero.
    pub fn length(&self) -> usize {
        match self {
            Self::Short(value) => value.checked_ilog10().map_or(0, |last| last as usize + 1),
            Self::Long(digits) => digits.len(),
        }
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Short(left), Self::Short(right)) => left.cmp(right),
            (Self::Short(_), Self::Long(_)) => Ordering::Less,
            (Self::Long(_), Self::Short(_)) => Ordering::Greater,
            (Self::Long(left), Self::Long(right)) => (left.len(), left).cmp(&(right.len(), right)),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn long_numbers_are_numbers_too() {
        let (short, long) =
            (Number::new("9999999999999999999"), Number::new("10000000000000000000"));
        assert!(short < long && long < Number::new("10000000000000000001"));
        assert!(Number::new("99999999999999999999") < Number::new("100000000000000000000"));
        assert_eq!((short.length(), long.length()), (19, 20));
        assert_eq!(long.value(), 10_000_000_000_000_000_000);
        assert_eq!(Number::new("99999999999999999999").value(), u64::MAX);
        assert_eq!(long.text(), "10000000000000000000");
    }

    #[test]
    fn a_day_begins_with_the_century() {
        for digits in ["20260822", "020260822", "202608221200", "20260822120000000000000"] {
            assert!(Number::new(digits).is_day(), "{digits}");
        }
        for digits in ["", "0", "2026082", "12026082", "21260822", "1920260822"] {
            assert!(!Number::new(digits).is_day(), "{digits}");
        }
    }

    proptest! {
        #[test]
        fn numbers_are_their_digits(left in "0{0,2}[0-9]{0,22}", right in "0{0,2}[0-9]{0,22}") {
            let plain = |digits: &str| digits.trim_start_matches('0').to_owned();
            let (kept, other) = (plain(&left), plain(&right));
            let number = Number::new(&left);
            prop_assert_eq!(number.length(), kept.len());
            prop_assert_eq!(number.is_zero(), kept.is_empty());
            prop_assert_eq!(number.is_day(), kept.len() >= 8 && kept.starts_with("20"));
            let order = (kept.len(), kept).cmp(&(other.len(), other));
            prop_assert_eq!(number.cmp(&Number::new(&right)), order);
        }
    }
}
