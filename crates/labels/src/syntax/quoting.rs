//! Quotes and escapes.

use super::{
    Part, Word,
    parser::{Parsed, Parser},
    words::push_quoted,
};

impl Parser {
    /// The text up to the closing single quote.
    pub(super) fn single_quoted(&mut self) -> Parsed<String> {
        let start = self.position();
        while let Some(character) = self.next() {
            if character == '\'' {
                let mut text = self.since(start);
                text.pop();
                return Ok(text);
            }
        }
        Err(self.error("a quote is not closed"))
    }

    /// The parts up to the closing double quote.
    pub(super) fn double_quoted(&mut self, word: &mut Word) -> Parsed<()> {
        self.deeper(|parser| {
            // Even empty quotes make a word.
            word.push(Part::Quoted(String::new()));
            loop {
                match parser.peek() {
                    None => return Err(parser.error("a quote is not closed")),
                    Some('"') => {
                        parser.skip(1);
                        return Ok(());
                    }
                    Some('\\') => {
                        parser.skip(1);
                        match parser.peek() {
                            Some('\n') => parser.skip(1),
                            Some(escaped @ ('$' | '`' | '"' | '\\')) => {
                                parser.skip(1);
                                push_quoted(word, escaped);
                            }
                            _ => push_quoted(word, '\\'),
                        }
                    }
                    Some('$') => parser.dollar(true, word)?,
                    Some('`') => parser.backticks(true, word)?,
                    Some(character) => {
                        parser.skip(1);
                        push_quoted(word, character);
                    }
                }
            }
        })
    }

    /// The text of `$'…'`, after the opening quote.
    pub(super) fn escaped_quoted(&mut self) -> Parsed<String> {
        let mut text = String::new();
        loop {
            match self.next() {
                None => return Err(self.error("a quote is not closed")),
                Some('\'') => return Ok(text),
                Some('\\') => match self.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some('e' | 'E') => text.push('\u{1b}'),
                    Some('0') => text.push('\0'),
                    Some(character @ ('\\' | '\'' | '"' | '?')) => text.push(character),
                    Some(character) => {
                        return Err(
                            self.error(format!("the escape \\{character} is not supported"))
                        );
                    }
                    None => return Err(self.error("a quote is not closed")),
                },
                Some(character) => text.push(character),
            }
        }
    }
}
