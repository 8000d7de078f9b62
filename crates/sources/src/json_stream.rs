//! Splits JSON into values while it is read, so that a large file is never in memory as a whole.
//!
//! Only the structure around the values is checked here. Each value is checked by its reader, so
//! that an invalid one does not affect the others. A value that is too large is skipped.

use std::io::{self, BufRead};

use appstitch_budget::Budget;
use memchr::memchr2;
use serde::de::IgnoredAny;

use crate::parsed_file::{FileError, MAX_ENTRY_BYTES};

const BYTES_PER_STEP: usize = 32;

pub(crate) struct JsonStream<'a> {
    reader: &'a mut dyn BufRead,
    /// The text of the current value. It is kept for the next one.
    text: Vec<u8>,
}

/// What [`JsonStream::elements`] calls for each value; it must read the value.
type EachElement<'f> = dyn FnMut(&mut JsonStream<'_>, &mut Budget) -> Result<(), FileError> + 'f;

/// What [`JsonStream::members`] calls for each key; it must read the value.
type EachMember<'f> =
    dyn FnMut(&mut JsonStream<'_>, &str, &mut Budget) -> Result<(), FileError> + 'f;

/// What [`JsonStream::results`] calls for each result: its text, or why it cannot be used.
type EachResult<'f> = dyn FnMut(Result<&str, String>, &mut Budget) -> Result<(), FileError> + 'f;

impl<'a> JsonStream<'a> {
    pub(crate) fn new(reader: &'a mut dyn BufRead) -> Self {
        Self { reader, text: Vec::new() }
    }

    /// The first byte of the next value, which is not read yet.
    pub(crate) fn peek(&mut self, budget: &mut Budget) -> Result<Option<u8>, FileError> {
        loop {
            let chunk = self.reader.fill_buf().map_err(unreadable)?;
            let blank = chunk.iter().take_while(|byte| is_blank(**byte)).count();
            let next = chunk.get(blank).copied();
            let is_end = chunk.is_empty();
            take_steps(blank, budget)?;
            self.reader.consume(blank);
            if next.is_some() || is_end {
                return Ok(next);
            }
        }
    }

    pub(crate) fn elements(
        &mut self,
        budget: &mut Budget,
        each: &mut EachElement<'_>,
    ) -> Result<(), FileError> {
        self.items([b'[', b']'], "an array", budget, each)
    }

    pub(crate) fn members(
        &mut self,
        budget: &mut Budget,
        each: &mut EachMember<'_>,
    ) -> Result<(), FileError> {
        self.items([b'{', b'}'], "an object", budget, &mut |stream, budget| {
            let key: String = match stream.value(budget)? {
                Ok(text) => serde_json::from_str(text)
                    .map_err(|_| FileError::unreadable("expected a key"))?,
                Err(why) => return Err(FileError::unreadable(format!("a key is invalid: {why}"))),
            };
            stream.expect(b':', "a colon", budget)?;
            each(stream, &key, budget)
        })
    }

    /// Reads what is between two brackets, with commas between.
    fn items(
        &mut self,
        [open, close]: [u8; 2],
        name: &str,
        budget: &mut Budget,
        each: &mut EachElement<'_>,
    ) -> Result<(), FileError> {
        self.expect(open, name, budget)?;
        if self.peek(budget)? == Some(close) {
            self.reader.consume(1);
            return Ok(());
        }
        loop {
            each(self, budget)?;
            if self.ends(close, budget)? {
                return Ok(());
            }
        }
    }

    /// Reads a page of results, as several web APIs send them: an object whose `results` is an array.
    pub(crate) fn results(
        &mut self,
        budget: &mut Budget,
        each: &mut EachResult<'_>,
    ) -> Result<(), FileError> {
        let mut has_results = false;
        self.members(budget, &mut |stream, key, budget| {
            if key != "results" {
                return stream.skip(budget);
            }
            if std::mem::replace(&mut has_results, true) {
                return Err(FileError::unreadable("duplicate field `results`"));
            }
            stream.elements(budget, &mut |stream, budget| each(stream.value(budget)?, budget))
        })?;
        if has_results { Ok(()) } else { Err(FileError::unreadable("missing field `results`")) }
    }

    /// Reads a value that is not used. It must be valid nevertheless.
    pub(crate) fn skip(&mut self, budget: &mut Budget) -> Result<(), FileError> {
        let text = self.value(budget)?.map_err(FileError::unreadable)?;
        match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) => Ok(()),
            Err(error) => Err(FileError::unreadable(error.to_string())),
        }
    }

    pub(crate) fn end(&mut self, budget: &mut Budget) -> Result<(), FileError> {
        match self.peek(budget)? {
            None => Ok(()),
            Some(_) => Err(FileError::unreadable("trailing characters")),
        }
    }

    /// The text of the next value, or why it cannot be used.
    pub(crate) fn value(&mut self, budget: &mut Budget) -> Result<Result<&str, String>, FileError> {
        let Some(first) = self.peek(budget)? else {
            return Err(FileError::unreadable("it ends too early"));
        };
        if matches!(first, b',' | b':' | b']' | b'}') {
            return Err(FileError::unreadable("expected a value"));
        }
        self.text.clear();
        let mut scan = Scan::new(first);
        let mut size = 0_usize;
        while !scan.is_done {
            let chunk = self.reader.fill_buf().map_err(unreadable)?;
            if chunk.is_empty() {
                if scan.state == ScanState::Scalar {
                    break;
                }
                return Err(FileError::unreadable("it ends too early"));
            }
            let read = scan.advance(chunk);
            size = size.saturating_add(read);
            if size <= MAX_ENTRY_BYTES {
                self.text.extend_from_slice(&chunk[..read]);
            }
            self.reader.consume(read);
            take_steps(read, budget)?;
        }
        if size > MAX_ENTRY_BYTES {
            return Ok(Err(format!("it is larger than {MAX_ENTRY_BYTES} bytes")));
        }
        Ok(std::str::from_utf8(&self.text).map_err(|error| error.to_string()))
    }

    fn expect(&mut self, byte: u8, name: &str, budget: &mut Budget) -> Result<(), FileError> {
        if self.peek(budget)? != Some(byte) {
            return Err(FileError::unreadable(format!("expected {name}")));
        }
        self.reader.consume(1);
        Ok(())
    }

    fn ends(&mut self, end: u8, budget: &mut Budget) -> Result<bool, FileError> {
        match self.peek(budget)? {
            Some(b',') => {
                self.reader.consume(1);
                Ok(false)
            }
            Some(byte) if byte == end => {
                self.reader.consume(1);
                Ok(true)
            }
            Some(_) => Err(FileError::unreadable(format!("expected , or {}", char::from(end)))),
            None => Err(FileError::unreadable("it ends too early")),
        }
    }
}

struct Scan {
    state: ScanState,
    depth: usize,
    is_done: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ScanState {
    /// A bracket, or anything else outside of strings.
    Structure,
    String,
    Escaped,
    /// A number or a word, which ends before the next separator.
    Scalar,
}

impl Scan {
    fn new(first: u8) -> Self {
        let is_long = matches!(first, b'{' | b'[' | b'"');
        let state = if is_long { ScanState::Structure } else { ScanState::Scalar };
        Self { state, depth: 0, is_done: false }
    }

    fn advance(&mut self, chunk: &[u8]) -> usize {
        let mut at = 0;
        while let Some(rest) = chunk.get(at..).filter(|rest| !rest.is_empty() && !self.is_done) {
            at += match self.state {
                ScanState::Structure => self.structure(rest[0]),
                ScanState::String => self.string(rest),
                ScanState::Escaped => {
                    self.state = ScanState::String;
                    1
                }
                ScanState::Scalar => {
                    let ends = |byte: &u8| is_blank(*byte) || b",:]}".contains(byte);
                    let end = rest.iter().position(ends);
                    self.is_done = end.is_some();
                    end.unwrap_or(rest.len())
                }
            };
        }
        at
    }

    fn structure(&mut self, byte: u8) -> usize {
        match byte {
            b'"' => self.state = ScanState::String,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                self.is_done = self.depth == 0;
            }
            _ => {}
        }
        1
    }

    fn string(&mut self, rest: &[u8]) -> usize {
        let Some(end) = memchr2(b'"', b'\\', rest) else { return rest.len() };
        if rest[end] == b'"' {
            self.state = ScanState::Structure;
            self.is_done = self.depth == 0;
        } else {
            self.state = ScanState::Escaped;
        }
        end + 1
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn take_steps(bytes: usize, budget: &mut Budget) -> Result<(), FileError> {
    Ok(budget.step(1 + (bytes / BYTES_PER_STEP) as u64)?)
}

fn unreadable(error: io::Error) -> FileError {
    FileError::unreadable(error.to_string())
}

#[cfg(test)]
mod tests;
