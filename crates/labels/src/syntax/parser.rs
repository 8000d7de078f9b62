//! The position in a text, and lists of statements.

use thiserror::Error;

use super::{Script, Statement};

const MAX_DEPTH: usize = 48;

/// How often the parser goes deeper or takes a character. Some text is read twice, and what is in it,
/// too.
const MAX_WORK: usize = 2_000_000;

/// The greatest number of characters of a fragment. Real ones have some thousand.
const MAX_LENGTH: usize = 1 << 16;

/// Text that is not the language this crate knows.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub(crate) struct SyntaxError {
    pub(crate) line: usize,
    pub(crate) what: String,
}

pub(super) type Parsed<T> = Result<T, SyntaxError>;

pub(super) struct Parser {
    text: Vec<char>,
    at: usize,
    depth: usize,
    /// How often the parser went deeper or took a character.
    work: usize,
    /// How many `{ … }` around the position end with a `}`.
    pub(super) braces: usize,
    /// Whether text that zsh does not accept is an error, too. Labels are read with more tolerance.
    pub(super) strict: bool,
}

impl Parser {
    pub(super) fn new(text: &str) -> Parsed<Self> {
        let text: Vec<char> = text.chars().collect();
        let parser = Self { text, at: 0, depth: 0, work: 0, braces: 0, strict: false };
        if parser.text.len() > MAX_LENGTH {
            return Err(parser.error("the label is too long"));
        }
        Ok(parser)
    }

    /// Parses statements that were between quotes.
    pub(super) fn inner(&mut self, text: &str) -> Parsed<Script> {
        let text: Vec<char> = text.chars().collect();
        let (depth, work, strict) = (self.depth, self.work, self.strict);
        let mut parser = Self { text, at: 0, depth, work, braces: 0, strict };
        let script = parser.script(&[""]);
        self.work = parser.work;
        script.map_err(|error| self.error(error.what))
    }

    /// Runs a part of the parser one level deeper.
    pub(super) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error("the nesting is too deep"));
        }
        self.work += 1;
        if self.work > MAX_WORK {
            return Err(self.error("the label takes too long to read"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    pub(super) fn error(&self, what: impl Into<String>) -> SyntaxError {
        let before = self.text.get(..self.at).unwrap_or(&self.text);
        let line = before.iter().filter(|character| **character == '\n').count() + 1;
        SyntaxError { line, what: what.into() }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead).copied()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at += 1;
        self.work += 1;
        Some(character)
    }

    pub(super) fn skip(&mut self, count: usize) {
        self.at = (self.at + count).min(self.text.len());
        self.work += count;
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn return_to(&mut self, position: usize) {
        self.at = position;
    }

    pub(super) fn since(&self, position: usize) -> String {
        self.text.get(position..self.at).unwrap_or(&[]).iter().collect()
    }

    pub(super) fn starts_with(&self, expected: &str) -> bool {
        expected
            .chars()
            .enumerate()
            .all(|(index, character)| self.peek_at(index) == Some(character))
    }

    pub(super) fn take(&mut self, expected: &str) -> bool {
        let there = self.starts_with(expected);
        if there {
            self.skip(expected.chars().count());
        }
        there
    }

    pub(super) fn expect(&mut self, expected: &str) -> Parsed<()> {
        if self.take(expected) {
            return Ok(());
        }
        Err(self.error(format!("expected {expected:?}")))
    }

    /// Whether this word is next, and not only the start of another.
    pub(super) fn at_word(&self, word: &str) -> bool {
        if !self.starts_with(word) {
            return false;
        }
        let next = self.peek_at(word.chars().count());
        let closes = self.braces > 0 && next == Some('}');
        closes || ends_word(next)
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let there = self.at_word(word);
        if there {
            self.skip(word.chars().count());
        }
        there
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Parsed<()> {
        self.skip_blanks();
        if self.take_word(word) {
            return Ok(());
        }
        Err(self.error(format!("expected {word:?}")))
    }

    /// Skips blanks, continued lines and a comment, up to the end of the line.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r') => self.skip(1),
                Some('\\') if self.peek_at(1) == Some('\n') => self.skip(2),
                Some('\\') if self.starts_with("\\\r\n") => self.skip(3),
                Some('#') => {
                    while self.peek().is_some_and(|character| character != '\n') {
                        self.skip(1);
                    }
                }
                _ => return,
            }
        }
    }

    pub(super) fn skip_lines(&mut self) {
        self.skip_blanks();
        while self.peek() == Some('\n') {
            self.skip(1);
            self.skip_blanks();
        }
    }

    /// Statements up to one of these words or signs, which is not taken. An empty one is the end of
    /// the text.
    pub(super) fn script(&mut self, ends: &[&str]) -> Parsed<Script> {
        self.deeper(|parser| {
            let mut statements: Vec<Statement> = Vec::new();
            loop {
                parser.skip_lines();
                if parser.peek() == Some(';')
                    && !parser.starts_with(";;")
                    && !parser.starts_with(";&")
                {
                    parser.skip(1);
                    continue;
                }
                if ends.iter().any(|end| parser.at_end(end)) {
                    return Ok(statements.into());
                }
                if parser.peek().is_none() {
                    return Err(parser.error("the label ends too early"));
                }
                let before = parser.position();
                statements.push(parser.chain()?);
                if parser.position() == before {
                    return Err(parser.error("not a command"));
                }
                if parser.strict && !parser.at_separator(ends) {
                    return Err(parser.error("a command that does not end"));
                }
            }
        })
    }

    fn at_separator(&mut self, ends: &[&str]) -> bool {
        self.skip_blanks();
        matches!(self.peek(), None | Some('\n' | ';' | ')' | '}'))
            || ends.iter().any(|end| self.at_end(end))
    }

    fn at_end(&self, end: &str) -> bool {
        match end {
            "" => self.peek().is_none(),
            ")" | ";;" | "}" => self.starts_with(end),
            word => self.at_word(word),
        }
    }
}

/// Whether a word cannot go on with this character.
pub(super) fn ends_word(character: Option<char>) -> bool {
    match character {
        None => true,
        Some(character) => {
            matches!(character, ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>')
        }
    }
}

/// Whether a `}` before this character ends a group.
pub(super) fn ends_group(character: Option<char>) -> bool {
    matches!(character, None | Some(' ' | '\t' | '\r' | '\n' | ';' | '|' | '&' | ')' | '}'))
}
