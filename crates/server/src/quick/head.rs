//! Writing the head of an answer.

use std::time::Duration;

use axum::http::{HeaderName, StatusCode};
use jiff::{Timestamp, fmt::rfc2822};
use tokio::time::Instant;

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
        Self { bytes: Vec::with_capacity(1024), date: DateLine::new(Instant::now()) }
    }

    /// The head that was written last.
    pub(super) fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Says in the head that was written last that the connection ends with its answer.
    pub(super) fn close(&mut self) {
        let empty_line = self.bytes.len() - b"\r\n".len();
        self.bytes.truncate(empty_line);
        self.bytes.extend_from_slice(b"connection: close\r\n\r\n");
    }

    /// Writes a head. Its fields come in the order in which the HTTP library would send them.
    pub(super) fn write(
        &mut self,
        snapshot: &Snapshot,
        resource: Resource,
        asked: &Asked<'_, impl Fields>,
        ready: &Ready,
        id: &RequestId,
        now: Instant,
    ) {
        self.bytes.clear();
        let status_line: &[u8] = match ready.status() {
            StatusCode::NOT_MODIFIED => b"HTTP/1.1 304 Not Modified\r\n",
            _ => b"HTTP/1.1 200 OK\r\n",
        };
        self.bytes.extend_from_slice(status_line);
        let mut lines = Lines(&mut self.bytes);
        add_answer_fields(&mut lines, resource, asked, ready);
        self.bytes.extend_from_slice(snapshot.common_lines());
        Lines(&mut self.bytes).add(X_REQUEST_ID, id.as_bytes());
        self.bytes.extend_from_slice(self.date.at(now));
    }
}

/// The lines that every answer of a revision has in common.
pub(crate) fn common_lines(etag: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut lines = Lines(&mut bytes);
    add_public_fields(&mut lines);
    add_catalog_fields(&mut lines, etag, false);
    bytes
}

/// Fields as lines of text.
struct Lines<'a>(&'a mut Vec<u8>);

impl FieldSink for Lines<'_> {
    fn add_static(&mut self, name: HeaderName, value: &'static str) {
        self.add(name, value.as_bytes());
    }

    fn add_number(&mut self, name: HeaderName, value: usize) {
        self.add(name, itoa::Buffer::new().format(value).as_bytes());
    }

    fn add(&mut self, name: HeaderName, value: &[u8]) {
        for part in [name.as_str().as_bytes(), b": ", value, b"\r\n"] {
            self.0.extend_from_slice(part);
        }
    }
}

/// The last lines of a head: the date and an empty one. They are written once a second, and the
/// clock is not read in between.
struct DateLine {
    text: String,
    until: Instant,
}

impl DateLine {
    fn new(now: Instant) -> Self {
        let time = Timestamp::now();
        let spent = Duration::from_nanos(u64::from(time.subsec_nanosecond().unsigned_abs()));
        Self {
            text: format!("date: {}\r\n\r\n", http_date(time)),
            until: now + Duration::from_secs(1).saturating_sub(spent),
        }
    }

    fn at(&mut self, now: Instant) -> &[u8] {
        if now >= self.until {
            *self = Self::new(now);
        }
        self.text.as_bytes()
    }
}

fn http_date(time: Timestamp) -> String {
    // Every time a clock can show has four digits in its year.
    rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&time).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_as_http_has_them() {
        let date = |second| http_date(Timestamp::from_second(second).unwrap());
        assert_eq!(date(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(date(951_782_400), "Tue, 29 Feb 2000 00:00:00 GMT");
    }

    #[test]
    fn the_date_moves_with_the_seconds() {
        let now = Instant::now();
        let mut line = DateLine::new(now);
        let first = line.at(now).to_vec();
        assert!(line.until <= now + Duration::from_secs(1));
        assert_eq!(line.at(now), first);
        let second = line.until;
        line.text.clear();
        assert_ne!(line.at(second), b"", "it is written again");
    }
}
