//! Archives: every change since the journal began, by day (RFC 5005).
//!
//! A day with many changes has several parts. A part never grows once it is full or its day is over,
//! so readers and proxies may keep it for ever, except the oldest one.

use std::{fmt, num::NonZeroU32};

use jiff::{Timestamp, civil::Date};

use super::selection::MOST;
use crate::journal::ChangeRow;

const SECONDS_PER_DAY: i64 = 86_400;

/// A day in UTC, and which part of its changes: the first, the second, and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ArchivePart {
    /// Days since 1970.
    day: i64,
    number: NonZeroU32,
}

impl ArchivePart {
    /// Reads `2026-08-21`, or `2026-08-21.2` for a second part. Every part has one spelling.
    pub fn read(text: &str) -> Option<Self> {
        let (date, number) = match text.split_once('.') {
            Some((date, number)) => (date, number.parse().ok().filter(|number| *number > 1)?),
            None => (text, 1),
        };
        let day: Date = date.parse().ok()?;
        let start = day.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp();
        let part = Self { day: day_of(start), number: NonZeroU32::new(number)? };
        (part.to_string() == text).then_some(part)
    }
}

impl fmt::Display for ArchivePart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = Timestamp::from_second(self.day * SECONDS_PER_DAY).unwrap_or(Timestamp::MAX);
        write!(formatter, "{}", start.strftime("%Y-%m-%d"))?;
        match self.number.get() {
            1 => Ok(()),
            number => write!(formatter, ".{number}"),
        }
    }
}

fn day_of(at: Timestamp) -> i64 {
    at.as_second().div_euclid(SECONDS_PER_DAY)
}

#[derive(Debug, Clone, Copy)]
struct Extent {
    part: ArchivePart,
    seqs: (u64, u64),
    count: usize,
}

/// Every part, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Archives {
    parts: Vec<Extent>,
}

impl Archives {
    /// The parts of the changes, which come oldest first. The day of `after` is left out.
    pub(crate) fn of<'a>(
        rows: impl Iterator<Item = ChangeRow<'a>>,
        after: Option<Timestamp>,
    ) -> Self {
        let is_left_out = |at| after.is_some_and(|after| day_of(at) <= day_of(after));
        let times = rows.map(|row| (row.seq(), row.at()));
        Self::of_times(times.skip_while(|(_, at)| is_left_out(*at)))
    }

    fn of_times(rows: impl Iterator<Item = (u64, Timestamp)>) -> Self {
        let mut parts: Vec<Extent> = Vec::new();
        for (seq, at) in rows {
            // If a clock was set back, the later day goes on: parts that are final stay as they are.
            let last = parts.last_mut();
            let day = last.as_ref().map_or(i64::MIN, |last| last.part.day).max(day_of(at));
            let number = match last {
                Some(last) if last.part.day == day && last.count < MOST => {
                    last.seqs.1 = seq;
                    last.count += 1;
                    continue;
                }
                Some(last) if last.part.day == day => last.part.number.saturating_add(1),
                _ => NonZeroU32::MIN,
            };
            parts.push(Extent { part: ArchivePart { day, number }, seqs: (seq, seq), count: 1 });
        }
        Self { parts }
    }

    /// Every part, oldest first.
    pub(crate) fn all(&self) -> impl Iterator<Item = ArchivePart> {
        self.parts.iter().map(|extent| extent.part)
    }

    fn position(&self, part: ArchivePart) -> Option<usize> {
        let key = |part: ArchivePart| (part.day, part.number);
        self.parts.binary_search_by_key(&key(part), |known| key(known.part)).ok()
    }

    /// Whether a part is final; `None` if there is no such part. The oldest one is not: it links to no
    /// part before it, and it is the next one to go.
    pub(crate) fn find(&self, part: ArchivePart) -> Option<bool> {
        self.position(part).map(|position| position > 0 && self.is_complete(position))
    }

    /// Only the last part still grows.
    fn is_complete(&self, position: usize) -> bool {
        position + 1 < self.parts.len()
            || self.parts.get(position).is_some_and(|part| part.count >= MOST)
    }

    pub(crate) fn range(&self, part: ArchivePart) -> (u64, u64) {
        self.position(part).map_or((1, 0), |position| self.parts[position].seqs)
    }

    pub(crate) fn before(&self, part: ArchivePart) -> Option<ArchivePart> {
        let position = self.position(part)?.checked_sub(1)?;
        Some(self.parts[position].part)
    }

    /// The newest part that does not grow any more.
    pub(crate) fn last_final(&self) -> Option<ArchivePart> {
        let last = self.parts.len().checked_sub(1)?;
        let position = if self.is_complete(last) { last } else { last.checked_sub(1)? };
        Some(self.parts[position].part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archives(days: &[(&str, usize)]) -> Archives {
        let rows = days.iter().flat_map(|(day, count)| {
            let at: Timestamp = format!("{day}T23:59:59Z").parse().unwrap();
            std::iter::repeat_n(at, *count)
        });
        Archives::of_times((1..).zip(rows))
    }

    fn part(text: &str) -> ArchivePart {
        ArchivePart::read(text).unwrap()
    }

    #[test]
    fn a_part_has_one_spelling() {
        for text in ["2026-08-21", "2026-08-21.2", "2026-08-21.17"] {
            assert_eq!(part(text).to_string(), text);
        }
        for text in [
            "", "2026-8-21", "2026-02-30", "20260821", "2026-08-21.1", "2026-08-21.0",
            "2026-08-21.02", "2026-08-21.-1", "2026-08-21.99999999999", "2026-08-21T00:00:00",
            "+002026-08-21", "-009999-01-01", "9999-12-31.",
        ] {
            assert_eq!(ArchivePart::read(text), None, "{text}");
        }
    }

    #[test]
    fn days_follow_each_other_and_only_the_last_one_grows() {
        let archives = archives(&[("2026-08-19", 3), ("2026-08-21", 2), ("2026-08-22", 1)]);
        assert_eq!(archives.find(part("2026-08-20")), None);
        assert_eq!(archives.find(part("2026-08-19")), Some(false), "the next one to go");
        assert_eq!(archives.find(part("2026-08-21")), Some(true));
        assert_eq!(archives.find(part("2026-08-22")), Some(false));
        assert_eq!(archives.before(part("2026-08-21")), Some(part("2026-08-19")));
        assert_eq!(archives.before(part("2026-08-19")), None);
        assert_eq!(archives.last_final(), Some(part("2026-08-21")));
        let all: Vec<String> = archives.all().map(|part| part.to_string()).collect();
        assert_eq!(all, ["2026-08-19", "2026-08-21", "2026-08-22"]);
        assert_eq!(archives.range(part("2026-08-21")), (4, 5));
        assert_eq!(Archives::default().last_final(), None);
    }

    #[test]
    fn a_day_with_many_changes_has_parts() {
        let archives = archives(&[("2026-08-21", 2 * MOST + 5)]);
        assert_eq!(archives.find(part("2026-08-21.2")), Some(true));
        assert_eq!(archives.find(part("2026-08-21.3")), Some(false));
        assert_eq!(archives.last_final(), Some(part("2026-08-21.2")));
        assert_eq!(archives.before(part("2026-08-21.2")), Some(part("2026-08-21")));
        let last = 2 * MOST as u64;
        assert_eq!(archives.range(part("2026-08-21.3")), (last + 1, last + 5));
    }

    #[test]
    fn a_clock_that_is_set_back_changes_no_final_part() {
        let days = [("2026-08-21", 1), ("2026-08-22", 1), ("2026-08-21", 1)];
        let archives = archives(&days);
        assert_eq!(archives.range(part("2026-08-21")), (1, 1));
        assert_eq!(archives.range(part("2026-08-22")), (2, 3));
    }
}
