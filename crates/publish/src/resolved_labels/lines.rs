//! The lines of an upload of resolved labels, before they are merged with what is stored.

use jiff::Timestamp;

use super::{
    line::{self, ResolvedLabel},
    line_limit::{TooManyLines, check_line_count, numbered_lines},
};

/// The lines of an upload, and when they arrived.
#[derive(Debug, Clone)]
pub struct ResolvedLines {
    pub(super) lines: Vec<NumberedLine>,
    /// The time of findings without a time of their own.
    pub(super) received_at: Timestamp,
}

/// A line that is not blank: its number, and its content or why it cannot be read.
#[derive(Debug, Clone)]
pub(super) struct NumberedLine {
    pub(super) number: usize,
    pub(super) line: Result<ResolvedLabel, String>,
}

impl ResolvedLines {
    /// Reads NDJSON. A line that cannot be read is kept with the reason, and does not affect the
    /// others.
    pub fn read(ndjson: &[u8], received_at: Timestamp) -> Result<Self, TooManyLines> {
        check_line_count(ndjson)?;
        let lines = numbered_lines(ndjson)
            .map(|(number, line)| NumberedLine { number, line: line::parse(line) })
            .collect();
        Ok(Self { lines, received_at })
    }

    /// Whether there are no lines.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}
