//! Reads what stands between delimiters: patterns, and the parts of `s`.

use super::super::command::{Piece, Substitution};
use super::{Parser, refuse};
use crate::Stopped;

impl Parser<'_, '_> {
    pub(super) fn substitution(&mut self) -> Result<Substitution, Stopped> {
        let delimiter = self.delimiter()?;
        let source = self.delimited(delimiter)?;
        let replacement = self.replacement(delimiter)?;
        let mut substitution =
            Substitution { pattern: None, replacement, occurrence: 1, global: false, print: false };
        let mut ignore_case = false;
        let mut counted = false;
        loop {
            self.skip_blanks();
            match self.rest.chars().next() {
                Some('g') if !counted => (substitution.global, counted) = (true, true),
                Some('1'..='9') if !counted => {
                    (substitution.occurrence, counted) = (self.number()?, true);
                    continue;
                }
                Some('p') => substitution.print = true,
                Some('i' | 'I') => ignore_case = true,
                Some(';' | '\n') | None => break,
                Some(other) => return Err(refuse(format_args!("the flag {other}"))),
            }
            self.take();
        }
        substitution.pattern = self.pattern(&source, ignore_case)?;
        let groups = substitution.pattern.as_ref().map_or(9, |pattern| pattern.groups());
        for piece in &substitution.replacement {
            if let Piece::Group(group) = piece
                && *group > groups
            {
                return Err(refuse(format_args!("\\{group} without such a group")));
            }
        }
        Ok(substitution)
    }

    /// Reads up to the delimiter. A bracket expression may contain it.
    pub(super) fn delimited(&mut self, delimiter: char) -> Result<String, Stopped> {
        let mut text = String::new();
        loop {
            match self.take().ok_or_else(|| refuse("a pattern without an end"))? {
                character if character == delimiter => return Ok(text),
                '[' => self.bracket(&mut text)?,
                '\\' => match self.take() {
                    Some(escaped) if escaped == delimiter => text.push(delimiter),
                    Some('n') => text.push('\n'),
                    Some('r') => text.push('\r'),
                    Some('t') => text.push('\t'),
                    Some('x') => return Err(refuse("\\x in a pattern")),
                    Some(other) => text.extend(['\\', other]),
                    None => return Err(refuse("a pattern without an end")),
                },
                other => text.push(other),
            }
        }
    }

    /// Copies a bracket expression whose `[` is read.
    fn bracket(&mut self, text: &mut String) -> Result<(), Stopped> {
        text.push('[');
        for start in ['^', ']'] {
            if self.rest.starts_with(start) {
                text.extend(self.take());
            }
        }
        loop {
            if let Some(class) = self.rest.strip_prefix("[:")
                && let Some(length) = class.find(":]")
                && let Some((whole, rest)) = self.rest.split_at_checked(length + 4)
            {
                text.push_str(whole);
                self.rest = rest;
                continue;
            }
            let character = self.take().ok_or_else(|| refuse("a bracket without an end"))?;
            text.push(character);
            if character == ']' {
                return Ok(());
            }
        }
    }

    fn replacement(&mut self, delimiter: char) -> Result<Vec<Piece>, Stopped> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        let group = |text: &mut String, pieces: &mut Vec<Piece>, group: usize| {
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(text)));
            }
            pieces.push(Piece::Group(group));
        };
        loop {
            match self.take().ok_or_else(|| refuse("a replacement without an end"))? {
                character if character == delimiter => break,
                '&' => group(&mut text, &mut pieces, 0),
                '\n' => return Err(refuse("a newline in a replacement")),
                '\\' => match self.take() {
                    Some(digit @ '1'..='9') => {
                        group(&mut text, &mut pieces, digit as usize - '0' as usize);
                    }
                    Some('n') => text.push('\n'),
                    Some('r') => text.push('\r'),
                    Some('t') => text.push('\t'),
                    Some('x') => return Err(refuse("\\x in a replacement")),
                    Some(other) => text.push(other),
                    None => return Err(refuse("a replacement without an end")),
                },
                other => text.push(other),
            }
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        Ok(pieces)
    }
}
