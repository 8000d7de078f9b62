//! A version that is read once, for all rules that look at it.

use super::{Version, written::Written};

/// A version as a text, as numbers and what is around them, and parsed.
pub(crate) struct Reading<'a> {
    /// Without blanks around it.
    pub(crate) text: &'a str,
    pub(crate) written: Written<'a>,
    /// `None` if it cannot be ordered.
    pub(crate) version: Option<Version>,
}

impl<'a> Reading<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let text = text.trim();
        let written = Written::read(text);
        let version = match written.dotted_numbers() {
            Some(numbers) => Some(Version::of_numbers(numbers)),
            None => Version::parse(text),
        };
        Self { text, written, version }
    }

    /// Whether the text is numbers with dots between them and nothing else. Most versions are, and
    /// most rules are about others.
    pub(crate) fn is_dotted(&self) -> bool {
        self.written.is_dotted()
    }
}
