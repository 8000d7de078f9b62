//! Writing the head of an answer.

use std::{io::Write, time::SystemTime};

use axum::http::{HeaderName, StatusCode};
use jiff::{Timestamp, fmt::rfc2822};

use crate::{
    http::{
        Asked, FieldSink, Fields, Ready, add_answer_fields, add_catalog_fields, add_public_fields,
    },
    request_id::{RequestId, X_REQUEST_ID},
    snapshot::{Resource, Snapshot},
};

/// Writes one head after another into the same memory.
pub(super) struct HeadWriter {
    bytes: Vec<u8>,
    date: DateLine,
}

impl HeadWriter {
    pub(super) fn new() -> Self {
        Self { bytes: Vec::with_capacity(1024), date: DateLine::default() }
    }

    /// The head that was written last.
    pub(super) fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Writes a head. Its fields come in the order in which the HTTP library would send them.
    pub(super) fn write(
        &mut self,
        snapshot: &Snapshot,
        resource: Resource,
        asked: &Asked<'_, impl Fields>,
        ready: &Ready,
        id: &RequestId,
    ) {
        self.bytes.clear();
        let status_line: &[u8] = match ready.status() {
            StatusCode::NOT_MODIFIED => b"HTTP/1.1 304 Not Modified\r\n",
            _ => b"HTTP/1.1 200 OK\r\n",
        };
        self.bytes.extend_from_slice(status_line);
        let mut lines = Lines(&mut self.bytes);
        add_answer_fields(&mut lines, resource, asked, ready);
        add_public_fields(&mut lines);
        add_catalog_fields(&mut lines, snapshot, false);
        lines.add(X_REQUEST_ID, id.as_bytes());
        self.bytes.extend_from_slice(self.date.current());
    }
}

/// Fields as lines of text.
struct Lines<'a>(&'a mut Vec<u8>);

impl FieldSink for Lines<'_> {
    fn add_static(&mut self, name: HeaderName, value: &'static str) {
        self.add(name, value.as_bytes());
    }

    fn add_number(&mut self, name: HeaderName, value: usize) {
        // Writing to memory cannot fail.
        let _ = write!(self.0, "{}: {value}\r\n", name.as_str());
    }

    fn add(&mut self, name: HeaderName, value: &[u8]) {
        for part in [name.as_str().as_bytes(), b": ", value, b"\r\n"] {
            self.0.extend_from_slice(part);
        }
    }
}

/// The last lines of a head: the date, written once a second, and an empty one.
#[derive(Default)]
struct DateLine {
    second: u64,
    text: String,
}

impl DateLine {
    fn current(&mut self) -> &[u8] {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        if now.as_secs() != self.second || self.text.is_empty() {
            self.second = now.as_secs();
            self.text = format!("date: {}\r\n\r\n", http_date(self.second));
        }
        self.text.as_bytes()
    }
}

fn http_date(second: u64) -> String {
    let time = i64::try_from(second).ok().and_then(|second| Timestamp::from_second(second).ok());
    // Every time a clock can show has four digits in its year.
    rfc2822::DateTimePrinter::new()
        .timestamp_to_rfc9110_string(&time.unwrap_or_default())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_as_http_has_them() {
        assert_eq!(http_date(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(http_date(951_782_400), "Tue, 29 Feb 2000 00:00:00 GMT");
    }
}
