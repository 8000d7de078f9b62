//! Telling a plain read from everything else, in the bytes that were received.

use std::mem::MaybeUninit;

use axum::http::HeaderName;
use httparse::{Header, ParserConfig, Status};

use crate::http::{Asked, Fields, split_first};

/// More fields than clients send; a request with more is left to the library.
const MOST_FIELDS: usize = 32;

/// Room for the fields of a request.
pub(super) type Slots<'a> = [MaybeUninit<Header<'a>>; MOST_FIELDS];

pub(super) const fn slots<'a>() -> Slots<'a> {
    [const { MaybeUninit::uninit() }; MOST_FIELDS]
}

/// What the bytes at hand are.
pub(super) enum Reading<'a> {
    /// A plain read.
    Read(Request<'a>),
    /// The beginning of what may be one.
    Incomplete,
    /// Something for the HTTP library.
    Other,
}

/// A plain read: a GET of a path, without a body, on a connection that stays open.
pub(super) struct Request<'a> {
    target: &'a str,
    fields: RequestFields<'a>,
    /// How many bytes it is long.
    pub(super) length: usize,
}

impl Request<'_> {
    pub(super) fn field_count(&self) -> usize {
        self.fields.0.len()
    }

    pub(super) fn asked(&self) -> Asked<'_, RequestFields<'_>> {
        let (path, query) = split_first(self.target, b'?');
        Asked { path, query, fields: &self.fields }
    }
}

/// The fields of a request where they were received.
pub(super) struct RequestFields<'a>(&'a [Header<'a>]);

impl Fields for RequestFields<'_> {
    fn all<'a>(&'a self, name: &'a HeaderName) -> impl Iterator<Item = &'a [u8]> {
        let named = |field: &&Header<'_>| field.name.eq_ignore_ascii_case(name.as_str());
        self.0.iter().filter(named).map(|field| field.value)
    }
}

/// Reads the first request of some bytes.
pub(super) fn read_request<'a>(bytes: &'a [u8], slots: &'a mut Slots<'a>) -> Reading<'a> {
    if bytes.is_empty() {
        return Reading::Incomplete;
    }
    let mut request = httparse::Request::new(&mut []);
    let parser = ParserConfig::default();
    match parser.parse_request_with_uninit_headers(&mut request, bytes, slots) {
        Ok(Status::Complete(length)) => {
            let (Some("GET"), Some(target), Some(1)) =
                (request.method, request.path, request.version)
            else {
                return Reading::Other;
            };
            if !is_plain_target(target) || !request.headers.iter().all(is_plain_field) {
                return Reading::Other;
            }
            Reading::Read(Request { target, fields: RequestFields(request.headers), length })
        }
        // The library waits for the rest of what is no read, and knows when to stop waiting.
        Ok(Status::Partial) if b"GET /".starts_with(&bytes[..bytes.len().min(5)]) => {
            Reading::Incomplete
        }
        Ok(Status::Partial) | Err(_) => Reading::Other,
    }
}

/// The bytes that stand for themselves in a path or a query, and those that divide them.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0_u8;
    while byte < u8::MAX {
        plain[byte as usize] = byte.is_ascii_alphanumeric();
        byte += 1;
    }
    let others = b"-._~!$&'()*+,;=:@/%?";
    let mut index = 0;
    while index < others.len() {
        plain[others[index] as usize] = true;
        index += 1;
    }
    plain
};

/// Whether a target is a path, with a query or without, in which nothing is left to judge.
fn is_plain_target(target: &str) -> bool {
    target.starts_with('/') && target.bytes().all(|byte| PLAIN[usize::from(byte)])
}

/// Whether a field changes nothing about how a request is read and its connection goes on.
fn is_plain_field(field: &Header<'_>) -> bool {
    let is = |name: &str| field.name.eq_ignore_ascii_case(name);
    match field.name.len() {
        6 => !is("expect"),
        7 => !is("upgrade"),
        10 => !is("connection") || field.value.eq_ignore_ascii_case(b"keep-alive"),
        14 => !is("content-length"),
        17 => !is("transfer-encoding"),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn kind(bytes: &str) -> &'static str {
        match read_request(bytes.as_bytes(), &mut slots()) {
            Reading::Read(_) => "read",
            Reading::Incomplete => "incomplete",
            Reading::Other => "other",
        }
    }

    #[test]
    fn a_plain_read_is_taken_apart() {
        let bytes = b"GET /apps?limit=5 HTTP/1.1\r\nHost: x\r\nX-A: 1\r\nx-a: 2\r\n\r\nGET /next";
        let mut slots = slots();
        let Reading::Read(request) = read_request(bytes, &mut slots) else {
            panic!("it should be a read");
        };
        let asked = request.asked();
        assert_eq!((asked.path, asked.query), ("/apps", Some("limit=5")));
        let name = HeaderName::from_static("x-a");
        assert_eq!(asked.fields.all(&name).collect::<Vec<_>>(), [b"1", b"2"]);
        assert_eq!(&bytes[request.length..], b"GET /next");
    }

    #[test]
    fn only_plain_reads_are_taken() {
        for (bytes, expected) in [
            ("", "incomplete"),
            ("G", "incomplete"),
            ("GET /apps HTTP/1.1\r\nHo", "incomplete"),
            ("GET /apps HTTP/1.1\r\n\r\n", "read"),
            ("GET /apps HTTP/1.1\r\nConnection: Keep-Alive\r\n\r\n", "read"),
            ("POST /mc", "other"),
            ("HEAD /apps HTTP/1.1\r\n\r\n", "other"),
            ("GET /apps HTTP/1.0\r\n\r\n", "other"),
            ("GET http://x/apps HTTP/1.1\r\n\r\n", "other"),
            ("GET /apps#part HTTP/1.1\r\n\r\n", "other"),
            ("GET /apps HTTP/1.1\r\nconnection: close\r\n\r\n", "other"),
            ("GET /apps HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", "other"),
            ("GET /apps HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "other"),
            ("GET /apps HTTP/1.1\r\nexpect: 100-continue\r\n\r\n", "other"),
            ("GET /apps HTTP/1.1\r\nupgrade: h2c\r\n\r\n", "other"),
            ("GET /apps HTTP/1.1\r\nbroken\r\n\r\n", "other"),
            ("GET  /apps HTTP/1.1\r\n\r\n", "other"),
            ("PRI * HTTP/2.0\r\n\r\n", "other"),
        ] {
            assert_eq!(kind(bytes), expected, "{bytes:?}");
        }
        let many = "a: b\r\n".repeat(MOST_FIELDS + 1);
        assert_eq!(kind(&format!("GET / HTTP/1.1\r\n{many}\r\n")), "other");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..256),
        ) {
            let _ = read_request(&bytes, &mut slots());
        }

        #[test]
        fn no_beginning_of_a_read_is_taken_for_something_else(cut in 0_usize..60) {
            let whole = "GET /apps/firefox HTTP/1.1\r\nhost: localhost\r\naccept: */*\r\n\r\n";
            let expected = if cut >= whole.len() { "read" } else { "incomplete" };
            prop_assert_eq!(kind(&whole[..cut.min(whole.len())]), expected);
        }
    }
}
