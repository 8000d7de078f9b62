//! Numbers, times and days for people.
//!
//! A page is the same for everybody and at any time, so it holds absolute times. The script adds
//! how long ago that was.

use std::fmt;

use appstitch_text::words::counted;
use askama::filters::HtmlSafe;
use jiff::{Timestamp, civil::Date, tz::Offset};

/// A point in time as `<time>`: `2026-11-15 20:00 UTC`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(pub(crate) Timestamp);

impl fmt::Display for Moment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let utc = Offset::UTC.to_datetime(self.0);
        let (date, hour, minute, second) = (utc.date(), utc.hour(), utc.minute(), utc.second());
        write!(
            formatter,
            "<time datetime=\"{date}T{hour:02}:{minute:02}:{second:02}Z\">{date} {hour:02}:{minute:02} UTC</time>"
        )
    }
}

// Digits and fixed markup.
impl HtmlSafe for Moment {}

/// A day as `<time>`: `2026-11-15`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Day(pub(crate) Date);

impl Day {
    /// The day of a point in time, in UTC.
    pub(crate) fn of(at: Timestamp) -> Self {
        Self(Offset::UTC.to_datetime(at).date())
    }
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date = self.0;
        write!(formatter, "<time datetime=\"{date}\">{date}</time>")
    }
}

// Digits and fixed markup.
impl HtmlSafe for Day {}

/// A number with commas: `5,273`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Count(pub(crate) u64);

impl Count {
    /// The number with its noun: `1 app`, `5,273 apps`.
    pub(crate) fn of(self, noun: &str) -> String {
        counted(self, noun)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (position, digit) in digits.chars().enumerate() {
            if position > 0 && (digits.len() - position).is_multiple_of(3) {
                formatter.write_str(",")?;
            }
            write!(formatter, "{digit}")?;
        }
        Ok(())
    }
}

// Digits and commas.
impl HtmlSafe for Count {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_absolute_and_in_utc() {
        let at: Timestamp = "2026-11-15T20:04:05.678Z".parse().unwrap();
        assert_eq!(
            Moment(at).to_string(),
            "<time datetime=\"2026-11-15T20:04:05Z\">2026-11-15 20:04 UTC</time>"
        );
        assert_eq!(Day::of(at).to_string(), "<time datetime=\"2026-11-15\">2026-11-15</time>");
    }

    #[test]
    fn thousands_are_grouped() {
        let texts = [0, 7, 999, 1000, 5273, 1_234_567].map(|number| Count(number).to_string());
        assert_eq!(texts, ["0", "7", "999", "1,000", "5,273", "1,234,567"]);
    }
}
