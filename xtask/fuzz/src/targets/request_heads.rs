//! The heads of requests: what the fast path accepts, the HTTP library reads in the same way.

use std::{
    cell::RefCell,
    convert::Infallible,
    future::{Future, ready},
    io,
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
};

use appstitch_server::inspect::{ParsedHead, RequestHead, read_head};
use axum::{
    body::Body,
    http::{Request, Response, request::Parts},
};
use hyper::{
    body::{Body as _, Incoming},
    rt::{Read, ReadBufCursor, Write},
    server::conn::http1,
    service::service_fn,
};

use crate::target::{Target, TargetEntry, ensure, hash};

pub(super) const TARGET: TargetEntry = TargetEntry {
    dictionary: DICTIONARY,
    input_bytes: 512,
    ..TargetEntry::new("request_heads", || Ok(Box::new(RequestHeads)))
};

const DICTIONARY: &[&str] = &[
    "GET ",
    "HEAD ",
    "POST ",
    "OPTIONS ",
    "PUT ",
    "/apps",
    "/apps/x/generate-label",
    "?limit=5",
    " HTTP/1.1\r\n",
    " HTTP/1.0\r\n",
    "\r\n",
    "\n",
    "\r",
    "Host: localhost\r\n",
    "Connection: close\r\n",
    "connection: keep-alive\r\n",
    "Content-Length: 0\r\n",
    "Content-Length: 5\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Expect: 100-continue\r\n",
    "Upgrade: h2c\r\n",
    "If-None-Match: *\r\n",
    "Accept: */*\r\n",
    "Accept-Encoding: gzip, br\r\n",
    "X-Request-Id: a\r\n",
    ": ",
    " :",
    "\t",
    "\0",
    "\r\n\r\n",
    "http://example.com/",
    "*",
    "%2F",
    "#",
    "//",
    "\u{a0}",
];

/// How many beginnings of a request are tried.
const CUTS: u64 = 4;

struct RequestHeads;

impl Target for RequestHeads {
    fn check(&mut self, input: &[u8]) -> Result<(), String> {
        let ParsedHead::Request(head) = read_head(input) else { return Ok(()) };
        check_beginnings(input, &head)?;
        let alone = read_head(&input[..head.length]);
        ensure(alone == ParsedHead::Request(head.clone()), || {
            "what follows a request does not change it".to_owned()
        })?;
        let seen = read_by_library(input[..head.length].to_vec());
        let [request] = &seen[..] else {
            return Err(format!("the library reads the same request: {} requests", seen.len()));
        };
        compare(&head, request)
    }
}

/// A part of a request is never taken for a whole one, wherever it is cut.
fn check_beginnings(input: &[u8], head: &RequestHead) -> Result<(), String> {
    // Empty lines before a request are for the library, unless the whole request is there at once.
    let is_read =
        matches!(head.method, "GET" | "HEAD") && input.starts_with(head.method.as_bytes());
    for cut in 0..CUTS {
        let place = hash(input).rotate_left(u32::try_from(cut * 16).unwrap_or(0));
        let length = usize::try_from(place % head.length.max(1) as u64).unwrap_or(0);
        let beginning = read_head(&input[..length]);
        // What may still become another method than a read waits in the library.
        let fits = match beginning {
            ParsedHead::Incomplete => true,
            ParsedHead::Other => !is_read,
            ParsedHead::Request(_) => false,
        };
        ensure(fits, || format!("a beginning is incomplete: {length} bytes, {beginning:?}"))?;
    }
    Ok(())
}

/// A request as the library read it, and whether it has a body.
type Seen = (Parts, bool);

fn compare(head: &RequestHead, (parts, has_body): &Seen) -> Result<(), String> {
    let field = |name: &str| {
        let values = parts.headers.get_all(name).iter();
        let values: Vec<&[u8]> = values.map(axum::http::HeaderValue::as_bytes).collect();
        (!values.is_empty()).then(|| values.join(&b','))
    };
    let same = |name: &str, holds: bool| {
        ensure(holds, || format!("the library reads the same {name}: {head:?}, {parts:?}"))
    };
    same("method", parts.method == head.method)?;
    same("path", parts.uri.path() == head.path)?;
    same("query", parts.uri.query() == head.query.as_deref())?;
    same("condition", field("if-none-match") == head.if_none_match)?;
    same("accepted types", field("accept") == head.accept)?;
    same("accepted encodings", field("accept-encoding") == head.accept_encoding)?;
    // The library keeps one of several lengths that say the same.
    same("fields", parts.headers.len() <= head.fields)?;
    same("body, which is empty", !has_body)
}

fn read_by_library(bytes: Vec<u8>) -> Vec<Seen> {
    let seen = RefCell::new(Vec::new());
    let service = service_fn(|request: Request<Incoming>| {
        let has_body = !request.body().is_end_stream();
        seen.borrow_mut().push((request.into_parts().0, has_body));
        ready(Ok::<_, Infallible>(Response::new(Body::empty())))
    });
    {
        let mut http = http1::Builder::new();
        http.header_read_timeout(None).half_close(true).max_headers(100);
        let mut connection = pin!(http.serve_connection(Wire { bytes, read: 0 }, service));
        // The wire is always ready, so that a connection that waits has nothing more to do.
        drop(connection.as_mut().poll(&mut Context::from_waker(Waker::noop())));
    }
    seen.into_inner()
}

/// A connection on which some bytes have arrived, and no more will.
struct Wire {
    bytes: Vec<u8>,
    read: usize,
}

impl Read for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        mut room: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let end = self.bytes.len().min(self.read + room.remaining());
        room.put_slice(&self.bytes[self.read..end]);
        self.read = end;
        Poll::Ready(Ok(()))
    }
}

impl Write for Wire {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        sent: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(sent.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
