//! The lines of an upload of resolved labels, before they are merged with what is stored.

use appstitch_budget::{Budget, Exceeded};
use jiff::Timestamp;
use thiserror::Error;

use super::{
    line::{self, ResolvedLabel},
    line_limit::{TooManyLines, check_line_count, numbered_lines},
};

/// The most bytes of a line. Versions and addresses are short.
const MAX_LINE_BYTES: usize = 64 << 10;

/// What the result of a line takes in memory: names and reasons are short or shortened.
const RESULT_BYTES: usize = 512;

/// The steps of a line.
const LINE_STEPS: u64 = 100;

/// Why an upload of resolved labels cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LinesError {
    /// It has too many lines.
    #[error(transparent)]
    TooMany(#[from] TooManyLines),
    /// It takes too much.
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
}

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
    /// others. What the lines and their results take is taken from the budget.
    pub fn read(
        ndjson: &[u8],
        received_at: Timestamp,
        budget: &mut Budget,
    ) -> Result<Self, LinesError> {
        check_line_count(ndjson)?;
        let mut lines = Vec::new();
        for (number, line) in numbered_lines(ndjson) {
            budget.step(LINE_STEPS)?;
            budget.hold(RESULT_BYTES + line.len().min(MAX_LINE_BYTES))?;
            let line = if line.len() > MAX_LINE_BYTES {
                Err(format!("the line is longer than {MAX_LINE_BYTES} bytes"))
            } else {
                line::parse(line)
            };
            lines.push(NumberedLine { number, line });
        }
        Ok(Self { lines, received_at })
    }

    /// Whether there are no lines.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}
