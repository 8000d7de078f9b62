//! Reading a request where it was received, if the fast path understands all of it.

use std::mem::MaybeUninit;

use httparse::{Header, ParserConfig, Status};

use tokio::time::Instant;

use super::framing::{Framing, is, is_end_to_end};
use crate::{
    byte_table::alphanumeric_or,
    message::{HeaderField, ReadRequest, Verb},
    request_id::RequestId,
    trusted_proxies::FORWARDED_FOR,
};

/// More fields than clients send; a request with more goes to the library.
const MOST_FIELDS: usize = 32;

pub(super) type Slots<'a> = [MaybeUninit<Header<'a>>; MOST_FIELDS];

pub(super) const fn slots<'a>() -> Slots<'a> {
    [const { MaybeUninit::uninit() }; MOST_FIELDS]
}

/// What the received bytes are.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all are requests, and a box would cost more than the copy"
)]
pub(super) enum Parsed<'a> {
    /// A request without a body.
    Request(FastRequest<'a>),
    /// The beginning of one.
    Incomplete,
    /// Something for the HTTP library.
    Other,
}

/// A request without a body whose every field is understood.
pub(super) struct FastRequest<'a> {
    pub(super) read_request: ReadRequest<'a>,
    pub(super) framing: Framing,
    headers: &'a [Header<'a>],
    pub(super) length: usize,
}

impl<'a> FastRequest<'a> {
    pub(super) fn fields(&self) -> usize {
        self.headers.len()
    }

    /// What proxies say about the client.
    pub(super) fn forwarded_for(&self) -> impl Iterator<Item = &'a [u8]> {
        let fields = self.headers.iter().filter(|field| is(field, FORWARDED_FOR));
        fields.map(|field| field.value)
    }
}

/// Reads the first request of some bytes, which arrived at a time. The client is not known here.
pub(super) fn parse_request<'a>(
    bytes: &'a [u8],
    slots: &'a mut Slots<'a>,
    started: Instant,
) -> Parsed<'a> {
    if bytes.is_empty() {
        return Parsed::Incomplete;
    }
    let mut request = httparse::Request::new(&mut []);
    let parser = ParserConfig::default();
    match parser.parse_request_with_uninit_headers(&mut request, bytes, slots) {
        Ok(Status::Complete(length)) => {
            let parsed = (request.method, request.path, request.version);
            let (Some(method), Some(target), Some(version)) = parsed else {
                return Parsed::Other;
            };
            let head = Head { verb: Verb::of(method), target, version, headers: request.headers };
            understand(head, length, started).map_or(Parsed::Other, Parsed::Request)
        }
        // The library waits for the rest of what is not a read, and knows when to stop waiting.
        Ok(Status::Partial) if may_become_read(bytes) => Parsed::Incomplete,
        Ok(Status::Partial) | Err(_) => Parsed::Other,
    }
}

/// Whether bytes may be the beginning of a request for the fast path.
fn may_become_read(bytes: &[u8]) -> bool {
    let starts: [&[u8]; 4] = [b"GET /", b"HEAD /", b"POST /apps/", b"OPTIONS /"];
    starts.iter().any(|start| {
        let length = bytes.len().min(start.len());
        bytes[..length] == start[..length]
    })
}

/// A head as the parser found it.
struct Head<'a> {
    verb: Verb,
    target: &'a str,
    version: u8,
    headers: &'a [Header<'a>],
}

/// Takes a request apart; `None` if anything about it is for the library.
fn understand(head: Head<'_>, length: usize, started: Instant) -> Option<FastRequest<'_>> {
    let Head { verb, target, version, headers } = head;
    let (path, query) = plain_target(target)?;
    if verb == Verb::Other {
        return None;
    }
    let mut framing = Framing::new(version);
    let mut if_none_match = HeaderField::default();
    let mut accept = HeaderField::default();
    let mut accept_encoding = HeaderField::default();
    let mut own_id = None;
    for field in headers {
        match field.name.len() {
            6 if is(field, "accept") => accept.add(field.value),
            12 if is(field, "x-request-id") => own_id = own_id.or(Some(field.value)),
            13 if is(field, "if-none-match") => if_none_match.add(field.value),
            15 if is(field, "accept-encoding") => accept_encoding.add(field.value),
            _ if framing.take(field) || is_end_to_end(field.name) => {}
            _ => return None,
        }
    }
    if !framing.is_understood() {
        return None;
    }
    let request_id = RequestId::of(own_id);
    let read_request = ReadRequest {
        verb,
        path,
        query,
        if_none_match,
        accept,
        accept_encoding,
        request_id,
        started,
        client: None,
    };
    Some(FastRequest { read_request, framing, headers, length })
}

/// The bytes that stand for themselves in a path or a query, and those that divide these.
const PLAIN: [bool; 256] = alphanumeric_or(b"-._~!$&'()*+,;=:@/%");

/// The path and the query of a target in which nothing is left to judge.
fn plain_target(target: &str) -> Option<(&str, Option<&str>)> {
    if !target.starts_with('/') {
        return None;
    }
    // A plain loop is done before a search made for long texts has begun.
    let end = target.bytes().position(|byte| !PLAIN[usize::from(byte)]);
    match end {
        None => Some((target, None)),
        Some(end) if target.as_bytes()[end] == b'?' => {
            let query = &target[end + 1..];
            let is_plain = query.bytes().all(|byte| PLAIN[usize::from(byte)] || byte == b'?');
            is_plain.then_some((&target[..end], Some(query)))
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn kind(bytes: &str) -> &'static str {
        match parse_request(bytes.as_bytes(), &mut slots(), Instant::now()) {
            Parsed::Request(_) => "request",
            Parsed::Incomplete => "incomplete",
            Parsed::Other => "other",
        }
    }

    #[test]
    fn a_request_is_taken_apart() {
        let bytes = b"GET /apps?limit=5 HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\naccept-encoding: br\r\n\r\nGET /next";
        let mut slots = slots();
        let Parsed::Request(request) = parse_request(bytes, &mut slots, Instant::now()) else {
            panic!("it should be a request");
        };
        let read_request = &request.read_request;
        assert_eq!((read_request.path, read_request.query), ("/apps", Some("limit=5")));
        assert_eq!(read_request.accept_encoding.text(), "gzip,br");
        assert_eq!(&bytes[request.length..], b"GET /next");
    }

    #[test]
    fn only_requests_that_are_understood_are_taken() {
        for (bytes, expected) in [
            ("", "incomplete"),
            ("G", "incomplete"),
            ("GET /apps HTTP/1.1\r\nHo", "incomplete"),
            ("HEAD /ap", "incomplete"),
            ("POST /apps/x/gen", "incomplete"),
            ("GET /apps HTTP/1.1\r\n\r\n", "request"),
            ("GET /apps HTTP/1.0\r\n\r\n", "request"),
            ("HEAD /apps HTTP/1.1\r\n\r\n", "request"),
            ("OPTIONS /apps HTTP/1.1\r\n\r\n", "request"),
            ("POST /apps/x/generate-label HTTP/1.1\r\ncontent-length: 0\r\n\r\n", "request"),
            ("GET /apps HTTP/1.1\r\nConnection: Keep-Alive\r\n\r\n", "request"),
            ("GET /apps HTTP/1.1\r\nconnection: close\r\n\r\n", "request"),
            ("POST /mc", "other"),
            ("PUT /admin/records HTTP/1.1\r\n\r\n", "other"),
            ("GET http://x/apps HTTP/1.1\r\n\r\n", "other"),
            ("OPTIONS * HTTP/1.1\r\n\r\n", "other"),
            ("GET /apps#part HTTP/1.1\r\n\r\n", "other"),
            ("GET /apps HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", "other"),
            ("GET /apps HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "other"),
            ("GET /apps HTTP/1.1\r\nexpect: 100-continue\r\n\r\n", "other"),
            ("GET /apps HTTP/1.1\r\nupgrade: h2c\r\n\r\n", "other"),
            ("GET /apps HTTP/1.1\r\nconnection: upgrade\r\n\r\n", "other"),
            ("GET /apps HTTP/1.1\r\nnobody-knows: this\r\n\r\n", "other"),
            ("GET /apps HTTP/1.1\r\nbroken\r\n\r\n", "other"),
            ("GET  /apps HTTP/1.1\r\n\r\n", "other"),
            ("PRI * HTTP/2.0\r\n\r\n", "other"),
        ] {
            assert_eq!(kind(bytes), expected, "{bytes:?}");
        }
        let many = "x-a: b\r\n".repeat(MOST_FIELDS + 1);
        assert_eq!(kind(&format!("GET / HTTP/1.1\r\n{many}\r\n")), "other");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..256),
        ) {
            let _ = parse_request(&bytes, &mut slots(), Instant::now());
        }

        #[test]
        fn no_beginning_of_a_read_is_taken_for_something_else(cut in 0_usize..60) {
            let whole = "GET /apps/firefox HTTP/1.1\r\nhost: localhost\r\naccept: */*\r\n\r\n";
            let expected = if cut >= whole.len() { "request" } else { "incomplete" };
            prop_assert_eq!(kind(&whole[..cut.min(whole.len())]), expected);
        }
    }
}
