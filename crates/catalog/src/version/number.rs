//! Numbers of any length.

use std::cmp::Ordering;

/// Digits of any length without leading zeros, ordered by value; zero has none.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Number(Box<str>);

impl Number {
    /// Takes a run of ASCII digits.
    pub(super) fn new(digits: &str) -> Self {
        Self(digits.trim_start_matches('0').into())
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it is a day, as builds write it: 20260822, with or without the time.
    pub(super) fn is_day(&self) -> bool {
        self.0.len() >= 8 && self.0.starts_with("20")
    }

    /// How many digits it has without leading zeros.
    pub(super) fn length(&self) -> usize {
        self.0.len()
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.0.len(), &self.0).cmp(&(other.0.len(), &other.0))
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
