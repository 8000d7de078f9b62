//! Words: text, quotes and expansions that are joined.

use super::{
    Part, Word,
    parser::{Parsed, Parser, ends_group, ends_word},
};

/// Where a word stands. That decides which characters end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordContext {
    /// An argument of a command, or an element of an array.
    Argument,
    Assignment,
    Arm,
    Condition,
    /// A pattern of a test: parentheses belong to it.
    Pattern,
    /// A regular expression of a test: backslashes belong to it, too.
    Expression,
}

impl Parser {
    /// The word that is next. It is empty if there is none.
    pub(super) fn word(&mut self, context: WordContext) -> Parsed<Word> {
        self.deeper(|parser| {
            let mut word = Word::new();
            let mut parentheses = 0usize;
            let mut braces = 0usize;
            while let Some(character) = parser.peek() {
                if matches!(context, WordContext::Pattern | WordContext::Expression) {
                    match character {
                        '(' => parentheses += 1,
                        ')' if parentheses == 0 => break,
                        ')' => parentheses -= 1,
                        '|' if parentheses > 0 => {}
                        '<' if parser.number_range(&mut word) => continue,
                        '>' => {}
                        _ if ends_word(Some(character)) => break,
                        _ => {}
                    }
                } else if character == '(' && !word.is_empty() {
                    return Err(parser.error("patterns with parentheses are not supported here"));
                } else if ends_word(Some(character)) {
                    break;
                }
                match character {
                    '{' => braces += 1,
                    '}' if braces > 0 => braces -= 1,
                    '}' if parser.braces > 0 && ends_group(parser.peek_at(1)) => break,
                    _ => {}
                }
                if context == WordContext::Expression && character == '\\' {
                    parser.skip(1);
                    push_quoted(&mut word, '\\');
                    if let Some(escaped) = parser.next() {
                        push_quoted(&mut word, escaped);
                    }
                    continue;
                }
                parser.part(&mut word)?;
            }
            Ok(word)
        })
    }

    /// Takes the next part of an unquoted word.
    pub(super) fn part(&mut self, word: &mut Word) -> Parsed<()> {
        match self.peek() {
            Some('\\') => {
                self.skip(1);
                match self.next() {
                    Some('\n') => {}
                    Some(character) => push_quoted(word, character),
                    None => push_plain(word, '\\'),
                }
            }
            Some('\'') => {
                self.skip(1);
                let text = self.single_quoted()?;
                word.push(Part::Quoted(text));
            }
            Some('"') => {
                self.skip(1);
                self.double_quoted(word)?;
            }
            Some('$') if self.peek_at(1) == Some('\'') => {
                self.skip(2);
                let text = self.escaped_quoted()?;
                word.push(Part::Quoted(text));
            }
            Some('$') if self.peek_at(1) == Some('"') => self.skip(1),
            Some('$') => self.dollar(false, word)?,
            Some('`') => self.backticks(false, word)?,
            Some(character) => {
                self.skip(1);
                push_plain(word, character);
            }
            None => {}
        }
        Ok(())
    }

    /// Takes `<->`, `<1->`, `<-9>` or `<1-9>`, which match numbers.
    fn number_range(&mut self, word: &mut Word) -> bool {
        let start = self.position();
        self.skip(1);
        while self.peek().is_some_and(|next| next.is_ascii_digit() || next == '-') {
            self.skip(1);
        }
        if self.take(">") && self.since(start).matches('-').count() == 1 {
            for character in self.since(start).chars() {
                push_plain(word, character);
            }
            return true;
        }
        self.return_to(start);
        false
    }
}

pub(super) fn push_plain(word: &mut Word, character: char) {
    match word.last_mut() {
        Some(Part::Plain(text)) => text.push(character),
        _ => word.push(Part::Plain(character.into())),
    }
}

pub(super) fn push_quoted(word: &mut Word, character: char) {
    match word.last_mut() {
        Some(Part::Quoted(text)) => text.push(character),
        _ => word.push(Part::Quoted(character.into())),
    }
}
