//! `$name`, `$(…)`, `` `…` `` and `$((…))`.

use super::{
    Expansion, Operation, Parameter, Part, Subject, Word,
    parser::{Parsed, Parser},
    words::{push_plain, push_quoted},
};

impl Parser {
    /// What a dollar sign begins.
    pub(super) fn dollar(&mut self, quoted: bool, word: &mut Word) -> Parsed<()> {
        self.skip(1);
        let expansion = match self.peek() {
            Some('(') => self.parenthesized()?,
            Some('{') => {
                self.skip(1);
                let parameter = self.deeper(|parser| parser.parameter(quoted))?;
                Expansion::Parameter(Box::new(parameter))
            }
            _ => match self.bare_parameter()? {
                Some(parameter) => Expansion::Parameter(Box::new(parameter)),
                None if quoted => {
                    push_quoted(word, '$');
                    return Ok(());
                }
                None => {
                    push_plain(word, '$');
                    return Ok(());
                }
            },
        };
        word.push(Part::Expansion { expansion, quoted });
        Ok(())
    }

    /// `(…)` or `((…))` after a dollar sign.
    fn parenthesized(&mut self) -> Parsed<Expansion> {
        let start = self.position();
        if self.take("((") {
            if let Some(word) = self.arithmetic_text()? {
                return Ok(Expansion::Arithmetic(word));
            }
            self.return_to(start);
        }
        self.skip(1);
        self.enclosed(")").map(Expansion::Command)
    }

    /// The text up to `))` with its expansions, or nothing if these are nested subshells.
    pub(super) fn arithmetic_text(&mut self) -> Parsed<Option<Word>> {
        self.deeper(|parser| {
            let mut word = Word::new();
            let mut depth = 0usize;
            loop {
                match parser.peek() {
                    None | Some(';' | '\'' | '"' | '`' | '\n') => return Ok(None),
                    Some(')') if depth == 0 => {
                        return Ok(parser.take("))").then_some(word));
                    }
                    Some('$') => {
                        parser.dollar(true, &mut word)?;
                        continue;
                    }
                    Some('(') => depth += 1,
                    Some(')') => depth -= 1,
                    Some(_) => {}
                }
                if let Some(character) = parser.next() {
                    push_quoted(&mut word, character);
                }
            }
        })
    }

    pub(super) fn backticks(&mut self, quoted: bool, word: &mut Word) -> Parsed<()> {
        self.skip(1);
        let mut text = String::new();
        loop {
            match self.next() {
                None => return Err(self.error("a backtick is not closed")),
                Some('`') => break,
                Some('\\') => match self.peek() {
                    Some(escaped @ ('`' | '\\' | '$')) => {
                        self.skip(1);
                        text.push(escaped);
                    }
                    Some('"') if quoted => {
                        self.skip(1);
                        text.push('"');
                    }
                    _ => text.push('\\'),
                },
                Some(character) => text.push(character),
            }
        }
        let script = self.inner(&text)?;
        word.push(Part::Expansion { expansion: Expansion::Command(script), quoted });
        Ok(())
    }

    /// `name`, `1`, `?`, `#name` and their like after a dollar sign, with a subscript and modifiers.
    fn bare_parameter(&mut self) -> Parsed<Option<Parameter>> {
        let start = self.position();
        let split = self.take("=");
        let length = !split && self.peek() == Some('#') && self.begins_name(1);
        if length {
            self.skip(1);
        }
        let Some(name) = self.parameter_name() else {
            self.return_to(start);
            return Ok(None);
        };
        let mut parameter = Parameter {
            flags: String::new(),
            subject: Subject::Name(name),
            length,
            is_set: false,
            split,
            subscripts: Vec::new(),
            operations: Vec::new(),
        };
        while self.peek() == Some('[') {
            match self.subscript()? {
                Some(subscript) => parameter.subscripts.push(subscript),
                None => break,
            }
        }
        while self.peek() == Some(':')
            && let Some(modifier @ ('h' | 't' | 'r' | 'e' | 'l' | 'u')) = self.peek_at(1)
        {
            self.skip(2);
            parameter.operations.push(Operation::Modifier(modifier));
        }
        Ok(Some(parameter))
    }

    fn begins_name(&self, ahead: usize) -> bool {
        self.peek_at(ahead).is_some_and(|next| next.is_ascii_alphabetic() || next == '_')
    }

    pub(super) fn parameter_name(&mut self) -> Option<String> {
        if let Some(name) = self.name() {
            return Some(name);
        }
        match self.peek()? {
            digit if digit.is_ascii_digit() => {
                let start = self.position();
                while self.peek().is_some_and(|next| next.is_ascii_digit()) {
                    self.skip(1);
                }
                Some(self.since(start))
            }
            special @ ('?' | '#' | '@' | '*' | '$' | '!') => {
                self.skip(1);
                Some(special.into())
            }
            _ => None,
        }
    }

    /// `[…]`, or nothing if the bracket is not closed.
    pub(super) fn subscript(&mut self) -> Parsed<Option<Word>> {
        let start = self.position();
        self.skip(1);
        let mut word = Word::new();
        let mut depth = 0usize;
        loop {
            match self.peek() {
                None | Some('\n' | '"') => {
                    self.return_to(start);
                    return Ok(None);
                }
                Some(']') if depth == 0 => {
                    self.skip(1);
                    return Ok(Some(word));
                }
                Some('$') => {
                    self.deeper(|parser| parser.dollar(true, &mut word))?;
                    continue;
                }
                Some('[') => depth += 1,
                Some(']') => depth -= 1,
                Some(_) => {}
            }
            if let Some(character) = self.next() {
                push_plain(&mut word, character);
            }
        }
    }
}
