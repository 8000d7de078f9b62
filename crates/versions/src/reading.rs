//! A version that is read once, for all rules that look at it.

use super::{version::Version, written::Written};

pub struct Reading<'a> {
    /// Without blanks around it.
    pub text: &'a str,
    pub written: Written<'a>,
    /// `None` if it cannot be ordered.
    pub version: Option<Version>,
}

impl<'a> Reading<'a> {
    pub fn of(text: &'a str) -> Self {
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
    pub fn is_dotted(&self) -> bool {
        self.written.is_dotted()
    }
}
