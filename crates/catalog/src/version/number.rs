//! Numbers of any length.

use std::cmp::Ordering;

/// Digits of any length without leading zeros, ordered by value. Zero is the empty string.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Number(Box<str>);

impl Number {
    /// `digits` must be ASCII digits.
    pub(crate) fn new(digits: &str) -> Self {
        Self(digits.trim_start_matches('0').into())
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The digits, without leading zeros.
    pub(crate) fn text(&self) -> &str {
        if self.is_zero() { "0" } else { &self.0 }
    }

    /// Whether the number looks like a date in a build: 20260822, with or without the time.
    pub(crate) fn is_day(&self) -> bool {
        self.0.len() >= 8 && self.0.starts_with("20")
    }

    /// The value; the greatest possible one if it does not fit.
    pub(crate) fn value(&self) -> u64 {
        if self.is_zero() { 0 } else { self.0.parse().unwrap_or(u64::MAX) }
    }

    /// The number of digits without leading zeros.
    pub(crate) fn length(&self) -> usize {
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
