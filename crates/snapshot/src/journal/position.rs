//! Positions in the journal: how they are written, and what a client's `since` means.
//!
//! A position is written as `<epoch>-<number>-<check>`. The check is the beginning of the hash of the
//! revision that the position is in. If a store is restored from a copy, its numbers are used again for
//! other changes; the check shows that a position belongs to the lost ones.

use appstitch_store::JournalRevision;
use appstitch_types::revision_check;
use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use thiserror::Error;

use super::{ChangeRow, Journal};
use crate::revision::{NEVER_PUBLISHED, is_hex, is_revision_token};

const CHECK: usize = 6;

/// How much the clocks of servers on one store may differ.
const CLOCK_DIFFERENCE: SignedDuration = SignedDuration::from_mins(10);

/// Why there are no changes from the position of a client.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SinceError {
    /// It is neither a token, nor a number, nor a time.
    #[error(
        "'{0}' is not a position; use the token of an earlier response, the catalog's ETag, a number, a time such as 2026-08-22T19:31:04Z, a day such as 2026-08-22, 'yesterday', or how long ago, such as 2d or 12h"
    )]
    Malformed(String),
    /// It is a time or a number that is not reached yet.
    #[error("'{0}' is in the future")]
    Future(String),
    /// The changes are no longer there, or never were.
    #[error(
        "the changes since '{0}' are not available: they are too old, or the catalog was set up again; read all apps once, then follow the changes from there"
    )]
    Gone(String),
}

impl Journal {
    pub fn token(&self, seq: u64) -> String {
        format!("{}-{seq}-{}", self.epoch(), self.check(seq))
    }

    /// The position that a client means: a token, the token of a revision with or without the quotes of
    /// an `ETag`, a number, a time, a day, or how long ago it was.
    pub fn position(&self, since: &str, now: Timestamp) -> Result<u64, SinceError> {
        let text = since.trim();
        let unquoted = unquoted(text);
        let quoted = || appstitch_text::visible(&since.chars().take(80).collect::<String>());
        let found = if let Some(number) = number(text) {
            if number > self.newest() {
                return Err(SinceError::Future(quoted()));
            }
            (number >= self.floor()).then_some(number)
        } else if let Some(token) = Token::read(text) {
            self.of_token(&token)
        } else if unquoted == NEVER_PUBLISHED || is_revision_token(unquoted) {
            self.of_revision(unquoted)
        } else if let Some(time) = read_time(text, now) {
            if time > now {
                return Err(SinceError::Future(quoted()));
            }
            self.of_time(time)
        } else {
            return Err(SinceError::Malformed(quoted()));
        };
        found.ok_or_else(|| SinceError::Gone(quoted()))
    }

    /// Whether another server on the same store may know a position that is unknown here, because it
    /// serves a newer revision.
    pub fn may_come(&self, since: &str) -> bool {
        let text = since.trim();
        let unquoted = unquoted(text);
        if let Some(number) = number(text) {
            number > self.newest()
        } else if let Some(token) = Token::read(text) {
            token.epoch != self.epoch() || token.seq > self.newest()
        } else if is_revision_token(unquoted) {
            let newest = self.revisions().next_back().map(|revision| revision.changed_at);
            self.of_revision(unquoted).is_none()
                && newest.is_none_or(|newest| unquoted >= earliest_token(newest).as_str())
        } else {
            false
        }
    }

    fn of_token(&self, token: &Token<'_>) -> Option<u64> {
        let known = token.epoch == self.epoch()
            && (self.floor()..=self.newest()).contains(&token.seq)
            && token.check.is_none_or(|check| check == self.check(token.seq));
        known.then_some(token.seq)
    }

    fn of_revision(&self, token: &str) -> Option<u64> {
        if token == NEVER_PUBLISHED {
            return self.starts_empty().then_some(0);
        }
        let found = self.segments.iter().rev().find_map(|segment| segment.revision(token));
        found.map(|revision| revision.newest).filter(|newest| *newest >= self.floor())
    }

    pub fn has_revision(&self, token: &str) -> bool {
        self.segments.iter().any(|segment| segment.revision(token).is_some())
    }

    /// The position after the last revision that was published by a time.
    fn of_time(&self, time: Timestamp) -> Option<u64> {
        let earlier = |revision: &&JournalRevision| revision.changed_at <= time;
        let found = self.revisions().rev().find(earlier).map(|revision| revision.newest);
        found.or_else(|| match self.head.floor_at {
            Some(floor_at) if time < floor_at => None,
            _ => Some(self.floor()),
        })
    }

    /// Whether the journal is complete from an empty catalog on.
    fn starts_empty(&self) -> bool {
        self.floor() == 0 && self.head.floor_at.is_none()
    }

    /// The revisions that the journal knows, oldest first.
    pub fn revisions(&self) -> impl DoubleEndedIterator<Item = &JournalRevision> {
        self.segments.iter().flat_map(|segment| &segment.revisions)
    }

    fn check(&self, seq: u64) -> &str {
        let end = self.segments.partition_point(|segment| segment.first_row_seq() <= seq);
        let rows = self.segments[..end].iter().rev().flat_map(|segment| segment.rows().rev());
        let row = rows.into_iter().find(|row| row.seq() <= seq);
        revision_check(row.map(ChangeRow::revision))
    }
}

/// A position as clients send it.
struct Token<'a> {
    epoch: &'a str,
    seq: u64,
    check: Option<&'a str>,
}

impl<'a> Token<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let mut parts = text.split('-');
        let (epoch, seq, check) = (parts.next()?, number(parts.next()?)?, parts.next());
        let is_token = is_hex(epoch, 8)
            && check.is_none_or(|check| is_hex(check, CHECK))
            && parts.next().is_none();
        is_token.then_some(Self { epoch, seq, check })
    }
}

/// A text without the blanks around it and the quotes of an `ETag`.
pub(crate) fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let tag = text.strip_prefix("W/").unwrap_or(text);
    tag.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text)
}

/// Whether a text names a position for ever, whatever happens to the journal.
pub(crate) fn is_token(text: &str) -> bool {
    Token::read(text.trim()).is_some()
}

/// A text that no token of a revision after a time is less than, even if another server's clock is slow.
fn earliest_token(time: Timestamp) -> String {
    let earliest = time.checked_sub(CLOCK_DIFFERENCE).unwrap_or(time);
    earliest.strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn number(text: &str) -> Option<u64> {
    let digits =
        !text.is_empty() && text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// A time as in RFC 3339, a day, which begins at midnight UTC, or a time before now.
fn read_time(text: &str, now: Timestamp) -> Option<Timestamp> {
    let begin = |day: Date| Some(day.to_zoned(TimeZone::UTC).ok()?.timestamp());
    let today = || now.to_zoned(TimeZone::UTC).date();
    match text.to_ascii_lowercase().as_str() {
        "today" => begin(today()),
        "yesterday" => begin(today().yesterday().ok()?),
        lower => match ago(lower) {
            Some(ago) => now.checked_sub(ago).ok(),
            None if text.len() == 10 => begin(text.parse().ok()?),
            // An unencoded plus sign in a query arrives as a blank.
            None => text.replace(' ', "+").parse().ok(),
        },
    }
}

/// A number of days or hours, such as `2d` or `12h`.
fn ago(text: &str) -> Option<SignedDuration> {
    /// Ten years.
    const LONGEST: u64 = 87_660;
    let (count, hours) = match text.strip_suffix('d') {
        Some(days) => (number(days)?, 24),
        None => (number(text.strip_suffix('h')?)?, 1),
    };
    let hours = count.checked_mul(hours).filter(|hours| *hours <= LONGEST)?;
    Some(SignedDuration::from_hours(i64::try_from(hours).ok()?))
}
