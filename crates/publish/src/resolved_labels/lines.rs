//! The lines of an upload of resolved labels, before they are merged with what is stored.

use appstitch_budget::{Budget, Exceeded};
use jiff::Timestamp;
use thiserror::Error;

use super::line::{self, ResolvedLabel};

/// The most lines of an upload, because the response has a result for each. There are about a thousand
/// labels.
pub const MAX_RESOLVED_LINES: usize = 100_000;

/// The most bytes of a line. Versions and addresses are short.
const MAX_LINE_BYTES: usize = 64 << 10;

/// What the result of a line takes in memory: names and reasons are short or shortened.
const RESULT_BYTES: usize = 512;

const LINE_STEPS: u64 = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the body has more than {MAX_RESOLVED_LINES} lines; send less at a time")]
pub struct TooManyLines;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LinesError {
    #[error(transparent)]
    TooMany(#[from] TooManyLines),
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
}

/// The lines of an upload, and when they arrived.
#[derive(Debug, Clone)]
pub struct ResolvedLines {
    pub(super) lines: Vec<NumberedLine>,
    /// The time of findings without a time.
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

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

/// Checks the number of lines. Blank lines do not count.
fn check_line_count(ndjson: &[u8]) -> Result<(), TooManyLines> {
    match numbered_lines(ndjson).nth(MAX_RESOLVED_LINES) {
        Some(_) => Err(TooManyLines),
        None => Ok(()),
    }
}

fn numbered_lines(ndjson: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let lines = (1_usize..).zip(ndjson.split(|byte| *byte == b'\n'));
    lines.filter(|(_, line)| !line.trim_ascii().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_the_limit_is_rejected_and_blank_lines_do_not_count() {
        let lines = "x\n\n".repeat(MAX_RESOLVED_LINES);
        assert_eq!(check_line_count(lines.as_bytes()), Ok(()));
        let more = format!("{lines}x");
        assert_eq!(check_line_count(more.as_bytes()), Err(TooManyLines));
        assert!(TooManyLines.to_string().contains("100000 lines"));
    }
}
