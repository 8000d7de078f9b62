//! What the fast path makes of the bytes of a request, for the fuzzer.

use tokio::time::Instant;

use super::request::{Parsed, read_request, slots};

/// What some received bytes are.
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
    /// The method.
    pub method: &'static str,
    /// The path, still percent-encoded.
    pub path: String,
    /// The query.
    pub query: Option<String>,
    /// The value of `If-None-Match`.
    pub if_none_match: Option<Vec<u8>>,
    /// The value of `Accept`.
    pub accept: Option<Vec<u8>>,
    /// The value of `Accept-Encoding`.
    pub accept_encoding: Option<Vec<u8>>,
    /// The number of header fields.
    pub fields: usize,
    /// The number of bytes.
    pub length: usize,
}

/// Reads the first request of some bytes.
#[must_use]
pub fn read_head(bytes: &[u8]) -> ParsedHead {
    match read_request(bytes, &mut slots(), Instant::now()) {
        Parsed::Incomplete => ParsedHead::Incomplete,
        Parsed::Other => ParsedHead::Other,
        Parsed::Request(request) => {
            let asked = &request.asked;
            ParsedHead::Request(RequestHead {
                method: asked.verb.name(),
                path: asked.path.to_owned(),
                query: asked.query.map(str::to_owned),
                if_none_match: asked.if_none_match.value().map(<[u8]>::to_vec),
                accept: asked.accept.value().map(<[u8]>::to_vec),
                accept_encoding: asked.accept_encoding.value().map(<[u8]>::to_vec),
                fields: request.fields(),
                length: request.length,
            })
        }
    }
}
