//! The records of a table: cells, which may be in quotes and then have separators and line ends.

use std::borrow::Cow;

use memchr::{memchr, memchr3};
use thiserror::Error;

use super::MAX_COLUMNS;

#[derive(Debug, PartialEq, Eq, Error)]
#[error("a quote that begins in line {line} has no end")]
pub(super) struct OpenQuote {
    line: usize,
}

pub(super) struct Records<'a> {
    rest: &'a str,
    separator: u8,
    line: usize,
}

impl<'a> Records<'a> {
    pub(super) fn new(text: &'a str, separator: u8) -> Self {
        Self { rest: text, separator, line: 1 }
    }

    /// Replaces the cells with those of the next record; `None` at the end. Empty lines are skipped,
    /// and so are cells beyond the last column that is used: a line may have millions.
    pub(super) fn next(&mut self, cells: &mut Vec<Cow<'a, str>>) -> Option<Result<(), OpenQuote>> {
        cells.clear();
        while let Some(rest) = self.rest.strip_prefix(['\r', '\n']) {
            self.line += usize::from(self.rest.starts_with('\n'));
            self.rest = rest;
        }
        if self.rest.is_empty() {
            return None;
        }
        loop {
            match self.cell() {
                Ok(cell) if cells.len() < MAX_COLUMNS => cells.push(cell),
                Ok(_) => {}
                Err(fault) => return Some(Err(fault)),
            }
            match self.rest.as_bytes().first() {
                Some(byte) if *byte == self.separator => self.rest = &self.rest[1..],
                // The line end is skipped with the empty lines.
                _ => return Some(Ok(())),
            }
        }
    }

    fn cell(&mut self) -> Result<Cow<'a, str>, OpenQuote> {
        let Some(quoted) = self.rest.strip_prefix('"') else {
            return Ok(Cow::Borrowed(self.plain()));
        };
        let mut cell = Cow::Borrowed("");
        let begun = self.line;
        let mut rest = quoted;
        loop {
            let end = memchr(b'"', rest.as_bytes()).ok_or(OpenQuote { line: begun })?;
            let (part, after) = (&rest[..end], &rest[end + 1..]);
            self.line += memchr::memchr_iter(b'\n', part.as_bytes()).count();
            if cell.is_empty() {
                cell = Cow::Borrowed(part);
            } else {
                cell.to_mut().push_str(part);
            }
            // A doubled quote is a quote.
            if let Some(more) = after.strip_prefix('"') {
                cell.to_mut().push('"');
                rest = more;
                continue;
            }
            self.rest = after;
            // What follows the quotes belongs to the cell.
            let tail = self.plain();
            if !tail.is_empty() {
                cell.to_mut().push_str(tail);
            }
            return Ok(cell);
        }
    }

    fn plain(&mut self) -> &'a str {
        let end = memchr3(self.separator, b'\n', b'\r', self.rest.as_bytes());
        let (cell, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, separator: u8) -> Result<Vec<Vec<String>>, OpenQuote> {
        let mut records = Records::new(text, separator);
        let (mut all, mut cells) = (Vec::new(), Vec::new());
        while let Some(record) = records.next(&mut cells) {
            record?;
            all.push(cells.iter().map(|cell| cell.clone().into_owned()).collect());
        }
        Ok(all)
    }

    #[test]
    fn cells_may_be_quoted() {
        let table = "a,\"b \"\"c\"\", d\",\r\n\r\n\"x\ny\",,z\n\"\",\"q\"!";
        let expected = [vec!["a", "b \"c\", d", ""], vec!["x\ny", "", "z"], vec!["", "q!"]];
        assert_eq!(all(table, b',').unwrap(), expected);
        assert_eq!(all("a;b,c\n", b';').unwrap(), [["a", "b,c"]]);
        assert_eq!(all("", b',').unwrap(), Vec::<Vec<String>>::new());
    }

    #[test]
    fn a_wide_record_stays_small() {
        let table = format!("a{}\nb,c", ",".repeat(100_000));
        let mut records = Records::new(&table, b',');
        let mut cells = Vec::new();
        assert_eq!(records.next(&mut cells), Some(Ok(())));
        assert_eq!(cells.len(), MAX_COLUMNS);
        assert!(cells.capacity() < 2 * MAX_COLUMNS, "{}", cells.capacity());
        assert_eq!(records.next(&mut cells), Some(Ok(())));
        assert_eq!(cells, ["b", "c"]);
    }

    #[test]
    fn an_open_quote_is_told_by_its_line() {
        let fault = all("a,b\n\"x\ny\",z\n\"open,1\n2", b',').unwrap_err();
        assert_eq!(fault.to_string(), "a quote that begins in line 4 has no end");
    }
}
