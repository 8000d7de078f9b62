//! The keys of `sort`: `-k1,1n`, `-k2.3`.

use std::cmp::Ordering;

use super::{number, version};
use crate::Stopped;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "sort combines its orders freely")]
pub(super) struct Order {
    pub reverse: bool,
    version: bool,
    number: bool,
    general: bool,
    fold: bool,
    skip_blanks: bool,
}

impl Order {
    pub(super) fn add(&mut self, letter: char) -> Result<(), Stopped> {
        match letter {
            'V' => self.version = true,
            'b' => self.skip_blanks = true,
            'f' => self.fold = true,
            'g' => self.general = true,
            'n' => self.number = true,
            'r' => self.reverse = true,
            _ => return Err(Stopped::unsupported("sort", format_args!("the order {letter}"))),
        }
        Ok(())
    }

    fn compare(self, left: &str, right: &str) -> Ordering {
        let ordering = if self.version {
            version::compare(left, right)
        } else if self.general {
            number::general(left).total_cmp(&number::general(right))
        } else if self.number {
            number::compare(left, right)
        } else if self.fold {
            left.to_ascii_uppercase().cmp(&right.to_ascii_uppercase())
        } else {
            left.cmp(right)
        };
        if self.reverse { ordering.reverse() } else { ordering }
    }
}

/// A part of a line: from a character of a field to the end of a character of another.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Key {
    from: (usize, usize),
    /// The character 0 is the last one of the field.
    to: Option<(usize, usize)>,
    order: Order,
}

impl Key {
    /// The key of a call without one.
    pub(super) fn whole_line() -> Self {
        Self { from: (1, 1), to: None, order: Order::default() }
    }

    pub(super) fn parse(text: &str) -> Result<Self, Stopped> {
        let refuse = || Stopped::unsupported("sort", format_args!("the key {text}"));
        let (from, to) = match text.split_once(',') {
            Some((from, to)) => (from, Some(to)),
            None => (text, None),
        };
        let mut order = Order::default();
        let mut position = |text: &str, default: usize| -> Result<(usize, usize), Stopped> {
            let letters = text.trim_start_matches(|it: char| it.is_ascii_digit() || it == '.');
            for letter in letters.chars() {
                order.add(letter)?;
            }
            let digits = text.strip_suffix(letters).unwrap_or(text);
            let (field, character) = match digits.split_once('.') {
                Some((field, character)) => (field, character.parse().map_err(|_| refuse())?),
                None => (digits, default),
            };
            let field = field.parse().ok().filter(|&field| field > 0).ok_or_else(refuse)?;
            Ok((field, character))
        };
        let from = position(from, 1)?;
        let to = to.map(|to| position(to, 0)).transpose()?;
        if from.1 == 0 {
            return Err(refuse());
        }
        Ok(Self { from, to, order })
    }

    /// Takes the order of the whole call, unless the key has one.
    pub(super) fn inherit(&mut self, order: Order) {
        if self.order == Order::default() {
            self.order = order;
        }
    }

    pub(super) fn compare(&self, left: &str, right: &str, separator: Option<char>) -> Ordering {
        self.order.compare(self.part(left, separator), self.part(right, separator))
    }

    fn part<'a>(&self, line: &'a str, separator: Option<char>) -> &'a str {
        let start = self.place(line, self.from, separator);
        let end = match self.to {
            None => line.len(),
            Some((field, 0)) => field_bounds(line, field, separator).1,
            Some((field, character)) => self.place(line, (field, character + 1), separator),
        };
        let part = line.get(start..end).unwrap_or_default();
        if self.order.skip_blanks { part.trim_start_matches([' ', '\t']) } else { part }
    }

    fn place(
        &self,
        line: &str,
        (field, character): (usize, usize),
        separator: Option<char>,
    ) -> usize {
        let (mut start, _) = field_bounds(line, field, separator);
        let rest = line.get(start..).unwrap_or_default();
        if self.order.skip_blanks {
            start += rest.len() - rest.trim_start_matches([' ', '\t']).len();
        }
        let rest = line.get(start..).unwrap_or_default();
        rest.char_indices().nth(character - 1).map_or(line.len(), |(offset, _)| start + offset)
    }
}

/// Where a field starts and ends. Without a separator, blanks before a field belong to it.
fn field_bounds(line: &str, field: usize, separator: Option<char>) -> (usize, usize) {
    let mut start = 0;
    let mut number = 1;
    loop {
        let rest = line.get(start..).unwrap_or_default();
        let length = if let Some(separator) = separator {
            rest.find(separator)
        } else {
            let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            let word = rest.get(blanks..).unwrap_or_default();
            word.find([' ', '\t']).map(|length| blanks + length)
        };
        let Some(length) = length else {
            return if number == field { (start, line.len()) } else { (line.len(), line.len()) };
        };
        if number == field {
            return (start, start + length);
        }
        start += length + separator.map_or(0, char::len_utf8);
        number += 1;
    }
}
