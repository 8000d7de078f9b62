//! A version as it is written: its numbers, and what stands between them.

use super::{number::Number, numbers::Numbers};

/// The runs of digits of a text, with the text around them.
pub struct Written<'a> {
    numbers: Numbers,
    /// The text before each number, then the text after the last one. Empty if the text is dotted.
    around: Vec<&'a str>,
    is_dotted: bool,
}

/// What is between the numbers of a dotted text. One with more numbers is read like any other.
const DOTS: [&str; 32] = ["."; 32];

impl<'a> Written<'a> {
    pub fn read(text: &'a str) -> Self {
        let text = text.trim();
        match dotted(text) {
            Some(numbers) => Self { numbers, around: Vec::new(), is_dotted: true },
            None => Self::read_any(text),
        }
    }

    fn read_any(text: &'a str) -> Self {
        // As many as most versions need.
        const USUAL: usize = 6;
        let (mut numbers, mut around) = (Numbers::default(), Vec::with_capacity(USUAL));
        let mut rest = text;
        while let Some(start) = rest.bytes().position(|byte| byte.is_ascii_digit()) {
            let (before, digits) = rest.split_at(start);
            let end = digits.bytes().position(|byte| !byte.is_ascii_digit());
            let (number, behind) = digits.split_at(end.unwrap_or(digits.len()));
            around.push(before);
            numbers.push(Number::new(number));
            rest = behind;
        }
        let is_dotted = rest.is_empty()
            && around.split_first().is_some_and(|(before, between)| {
                before.is_empty() && between.iter().all(|separator| *separator == ".")
            });
        around.push(rest);
        Self { numbers, around, is_dotted }
    }

    /// The numbers, if the text is numbers with dots between them and nothing else.
    pub(super) fn dotted_numbers(&self) -> Option<&Numbers> {
        self.is_dotted.then_some(&self.numbers)
    }

    pub fn count(&self) -> usize {
        self.numbers.len()
    }

    pub fn numbers(&self) -> &[Number] {
        &self.numbers
    }

    /// The text between the numbers; `between()[0]` follows the first number.
    pub fn between(&self) -> &[&'a str] {
        match self.around.len().checked_sub(1) {
            Some(last) => self.around.get(1..last).unwrap_or_default(),
            None => DOTS.get(1..self.numbers.len()).unwrap_or_default(),
        }
    }

    pub fn before(&self) -> &'a str {
        self.around.first().copied().unwrap_or_default()
    }

    pub fn behind(&self) -> &'a str {
        self.around.last().copied().unwrap_or_default()
    }

    /// Whether the text is numbers with dots between them and nothing else.
    pub fn is_dotted(&self) -> bool {
        self.is_dotted
    }
}

/// The numbers of a text that has dots between them and nothing else; `None` for any other text, and
/// for one with very many numbers.
fn dotted(text: &str) -> Option<Numbers> {
    let is_dotted = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if !is_dotted {
        return None;
    }
    let mut numbers = Numbers::default();
    let mut rest = text;
    loop {
        let end = rest.bytes().position(|byte| byte == b'.').unwrap_or(rest.len());
        if end == 0 || numbers.len() == DOTS.len() {
            return None;
        }
        let (digits, behind) = rest.split_at(end);
        numbers.push(Number::new(digits));
        match behind.strip_prefix('.') {
            Some(next) => rest = next,
            None => return Some(numbers),
        }
    }
}

/// Whether the text is a version in the plainest notation: at least two numbers with dots between
/// them. A leading `v` does not count, because it is not served.
pub fn is_regular(text: &str) -> bool {
    let written = Written::read(text.strip_prefix(['v', 'V']).unwrap_or(text));
    written.is_dotted() && written.count() > 1
}

/// The text before the first separator that sets off a build.
pub fn without_build(text: &str) -> &str {
    text.split([',', '+', '(', '[']).next().unwrap_or_default().trim()
}

/// Whether a build follows: cask versions have a comma there, whatever the vendor writes.
pub(crate) fn sets_off_build(separator: &str) -> bool {
    separator.contains([',', '+', '(', '['])
}

pub(crate) fn has_letters(text: &str) -> bool {
    text.contains(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::{super::Version, *};

    #[test]
    fn a_text_is_split_into_numbers_and_what_is_around_them() {
        let written = Written::read("v8u502-b07 (x)");
        assert_eq!(written.numbers(), ["8", "502", "7"].map(Number::new));
        assert_eq!(written.between(), ["u", "-b"]);
        assert_eq!((written.before(), written.behind()), ("v", " (x)"));
        let none = Written::read("word");
        assert_eq!((none.count(), none.between().len(), none.before()), (0, 0, "word"));
    }

    #[test]
    fn dotted_texts_are_read_as_any_other() {
        let long = [["1"; 40].join("."), ["0"; 32].join("."), ["12"; 33].join(".")];
        let texts = ["1", "1.2", "01.0.0", "26.08.1", "1.2.3.4.5.6.7.8", "123456789012345678901.2"];
        for text in texts.into_iter().chain(long.iter().map(String::as_str)) {
            let (written, any) = (Written::read(text), Written::read_any(text));
            assert!(written.is_dotted() && any.is_dotted(), "{text}");
            assert_eq!((written.numbers(), written.between()), (any.numbers(), any.between()));
            assert_eq!((written.before(), written.behind()), ("", ""), "{text}");
            assert_eq!(Some(Version::of_numbers(&written.numbers)), Version::parse(text));
        }
        for text in ["", ".", ".1", "1.", "1..2", "1.2 ", "1,2", "v1", "1.x"] {
            assert_eq!(Written::read(text).is_dotted(), Written::read_any(text.trim()).is_dotted());
        }
    }

    #[test]
    fn a_regular_version_has_only_numbers_and_dots() {
        for text in ["1.2", "26.08.1", "v1.2"] {
            assert!(is_regular(text), "{text}");
        }
        for text in ["4200", "1.2.", "1.2+3", "1.2 R4", "1..2", "vv1.2", ""] {
            assert!(!is_regular(text), "{text}");
        }
    }
}
