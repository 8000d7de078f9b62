//! Walking through a text from its beginning to its end.

#[derive(Debug, Clone)]
pub(super) struct Scanner<'text> {
    text: &'text str,
    place: usize,
}

impl<'text> Scanner<'text> {
    pub(super) fn new(text: &'text str) -> Self {
        Self { text, place: 0 }
    }

    pub(super) fn rest(&self) -> &'text str {
        self.text.get(self.place..).unwrap_or_default()
    }

    /// The next character, without taking it.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The byte at a distance, or 0.
    pub(super) fn byte(&self, distance: usize) -> u8 {
        self.rest().as_bytes().get(distance).copied().unwrap_or(0)
    }

    pub(super) fn at_end(&self) -> bool {
        self.rest().is_empty()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.place += character.len_utf8();
        Some(character)
    }

    pub(super) fn take(&mut self, expected: &str) -> bool {
        let found = self.rest().starts_with(expected);
        if found {
            self.place += expected.len();
        }
        found
    }

    pub(super) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'text str {
        let rest = self.rest();
        let length = rest.find(|character| !fits(character)).unwrap_or(rest.len());
        self.place += length;
        rest.get(..length).unwrap_or_default()
    }

    /// Takes everything up to an ending, and the ending; nothing if the ending does not follow.
    pub(super) fn take_until(&mut self, ending: &str) -> Option<&'text str> {
        let (before, _) = self.rest().split_once(ending)?;
        self.place += before.len() + ending.len();
        Some(before)
    }

    /// Takes the white space of XML.
    pub(super) fn skip_blanks(&mut self) -> bool {
        !self.take_while(is_blank).is_empty()
    }
}

/// Whether XML and HTML count a character as white space.
pub(super) fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}
