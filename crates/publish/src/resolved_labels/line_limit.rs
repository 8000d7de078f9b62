//! How many lines an upload of resolved labels may have.
//!
//! The response has a result for each line, so their number must have a limit.

use thiserror::Error;

/// The most lines of an upload. There are about a thousand labels.
pub const MAX_RESOLVED_LINES: usize = 100_000;

/// An upload of resolved labels has too many lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the body has more than {MAX_RESOLVED_LINES} lines; send less at a time")]
pub struct TooManyLines;

/// Checks the number of lines. Blank lines do not count.
pub(super) fn check_line_count(ndjson: &[u8]) -> Result<(), TooManyLines> {
    match numbered_lines(ndjson).nth(MAX_RESOLVED_LINES) {
        Some(_) => Err(TooManyLines),
        None => Ok(()),
    }
}

/// The lines that are not blank, with their numbers.
pub(super) fn numbered_lines(ndjson: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
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
