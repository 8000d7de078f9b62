//! What the fast path makes of the bytes of a request, for the fuzzer.

use tokio::time::Instant;

use super::request::{Parsed, parse_request, slots};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParsedHead {
    /// A request without a body.
    Request(RequestHead),
    /// The beginning of one.
    Incomplete,
    /// Something for the HTTP library.
    Other,
}

/// A request as the fast path understands it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestHead {
    pub method: &'static str,
    /// The path, still percent-encoded.
    pub path: String,
    pub query: Option<String>,
    pub if_none_match: Option<Vec<u8>>,
    pub accept: Option<Vec<u8>>,
    pub accept_encoding: Option<Vec<u8>>,
    pub fields: usize,
    pub length: usize,
}

#[must_use]
pub fn read_head(bytes: &[u8]) -> ParsedHead {
    match parse_request(bytes, &mut slots(), Instant::now()) {
        Parsed::Incomplete => ParsedHead::Incomplete,
        Parsed::Other => ParsedHead::Other,
        Parsed::Request(request) => {
            let read_request = &request.read_request;
            ParsedHead::Request(RequestHead {
                method: read_request.verb.name(),
                path: read_request.path.to_owned(),
                query: read_request.query.map(str::to_owned),
                if_none_match: read_request.if_none_match.value().map(<[u8]>::to_vec),
                accept: read_request.accept.value().map(<[u8]>::to_vec),
                accept_encoding: read_request.accept_encoding.value().map(<[u8]>::to_vec),
                fields: request.fields(),
                length: request.length,
            })
        }
    }
}
