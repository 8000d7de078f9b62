//! Lines of the input, and the text that a filter prints. A carriage return is an ordinary
//! character.

use crate::{Budget, Output, Stopped};

/// The lines of a text without their ends. A newline at the end of the text starts no line.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    terminated(text, '\n')
}

/// The parts of a text that a character ends.
pub(super) fn terminated(text: &str, end: char) -> impl Iterator<Item = &str> {
    let body = text.strip_suffix(end).unwrap_or(text);
    let parts = if text.is_empty() { None } else { Some(body.split(end)) };
    parts.into_iter().flatten()
}

/// The lines of a text with their ends, so that the last may have none.
pub(super) fn whole_lines(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split_inclusive('\n')
}

#[derive(Default)]
pub(super) struct Printer {
    text: String,
}

impl Printer {
    pub(super) fn print(&mut self, text: &str, budget: &mut Budget) -> Result<(), Stopped> {
        budget.hold(text.len())?;
        self.text.push_str(text);
        Ok(())
    }

    pub(super) fn line(&mut self, line: &str, budget: &mut Budget) -> Result<(), Stopped> {
        self.print(line, budget)?;
        self.print("\n", budget)
    }

    pub(super) fn finish(self, status: u8) -> Output {
        Output { text: self.text, status }
    }

    pub(super) fn success(self) -> Output {
        self.finish(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_last_line_needs_no_end() {
        assert_eq!(lines("a\r\n\nb").collect::<Vec<_>>(), ["a\r", "", "b"]);
        assert_eq!(lines("a\n\n").collect::<Vec<_>>(), ["a", ""]);
        assert_eq!(lines("\n").collect::<Vec<_>>(), [""]);
        assert_eq!(lines("").count(), 0);
    }
}
