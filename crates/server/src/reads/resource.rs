//! Resources of the snapshot: conditional, and compressed if the client wants it.
//!
//! A body that was made for one request, such as the hits of a search, is compressed as well, but not
//! kept.

use std::sync::Arc;

use appstitch_bodies::{Payload, Slices};
use appstitch_feeds::FeedFormat;
use appstitch_snapshot::{BodyCache, BodyKey, Encoding, ResolvedFeed, Resource, WORTHWHILE};
use appstitch_wire::Held;
use axum::http::StatusCode;

use super::{
    compression::{CompressionTimes, compress, content_encoding},
    condition::already_has,
    document::DocumentCompression,
    failure::failure,
    negotiate::{choose_encoding, choose_quick_encoding},
    paging::add_page_fields,
};
use crate::{
    http_error::HttpError,
    message::{
        Content, FixedField, JSON, Policy, ReadContext, ReadRequest, ReadResponse, Wait,
        fixed_field,
    },
};

const ATOM: &FixedField = fixed_field!("content-type", "application/atom+xml; charset=utf-8");
/// An archive of a day that is over never changes.
const FINAL: &FixedField = fixed_field!("cache-control", "public, max-age=31536000, immutable");
const JSON_FEED: &FixedField = fixed_field!("content-type", "application/feed+json");

pub(super) const VARY: &FixedField = fixed_field!("vary", "accept-encoding");

/// Up to this many rows are collected on the thread that receives requests: that takes some
/// microseconds, less than passing the request to a worker.
const FEW_ROWS: usize = 200;

/// The same for a body that is compressed for one request, in bytes.
const SHORT: usize = 4 << 10;

#[expect(
    clippy::large_enum_variant,
    reason = "nearly every read is ready, and a box would cost more than the copy"
)]
pub(crate) enum ReadResult {
    Ready(ReadResponse),
    /// The body has to be compressed first.
    Compress(Compression),
    /// It takes more than some microseconds: a worker has to answer.
    OnDemand,
    /// Something has to be there first.
    Wait(Wait),
}

pub(super) fn response(
    context: &ReadContext<'_>,
    resource: Resource,
    vary: &'static FixedField,
    request: &ReadRequest<'_>,
    policy: Policy,
) -> ReadResult {
    let snapshot = context.snapshot;
    if already_has(&request.if_none_match, snapshot.token()) {
        let mut response = ReadResponse::new(StatusCode::NOT_MODIFIED, policy);
        if resource.key().is_some() {
            response.add(vary);
        }
        return ReadResult::Ready(response);
    }
    // Short bodies are sent as they are, whatever the client accepts.
    let Some(key) = resource.key() else {
        let body = snapshot.body(resource);
        return ReadResult::Ready(ReadResponse::with_body(StatusCode::OK, policy, JSON, body));
    };
    let mut response = ReadResponse::new(StatusCode::OK, policy);
    response.add(vary);
    if let Resource::Apps(page) | Resource::Drift(_, page) = resource {
        add_page_fields(&mut response, request.path, request.query, page.into());
    }
    let work = resource.work();
    let make = || {
        let may_make = work <= FEW_ROWS || context.attempt.is_on_worker;
        may_make.then(|| match snapshot.body(resource) {
            body if work == 0 => Payload::Memory(body),
            body => Payload::Made(body),
        })
    };
    encoded(context, key, response, JSON, request, make)
}

pub(super) fn feed_response(
    context: &ReadContext<'_>,
    found: &ResolvedFeed,
    request: &ReadRequest<'_>,
    policy: Policy,
) -> ReadResult {
    let snapshot = context.snapshot;
    let policy = if found.is_final() { policy.cached(FINAL) } else { policy };
    if already_has(&request.if_none_match, snapshot.token()) {
        let mut response = ReadResponse::new(StatusCode::NOT_MODIFIED, policy);
        response.add(VARY);
        return ReadResult::Ready(response);
    }
    let kind = match found.format() {
        FeedFormat::Atom => ATOM,
        FeedFormat::Json => JSON_FEED,
    };
    let mut response = ReadResponse::new(StatusCode::OK, policy);
    response.add(VARY);
    let make = || match snapshot.cached_feed(found) {
        Some(body) => Some(Payload::Made(body)),
        // A feed can have two thousand entries.
        None if !context.attempt.is_on_worker => None,
        None => Some(Payload::Made(snapshot.feed_body(found, &context.parts.links))),
    };
    encoded(context, BodyKey::Feed(found.key()), response, kind, request, make)
}

/// A response with a body that was made for this request, in the encoding that the client prefers.
pub(super) fn made_response(
    context: &ReadContext<'_>,
    mut response: ReadResponse,
    vary: &'static FixedField,
    request: &ReadRequest<'_>,
) -> ReadResult {
    response.add(vary);
    if let Some(encoding) = choose_quick_encoding(&request.accept_encoding)
        && let Some(Content { payload: Payload::Made(plain), .. }) = &response.content
        && plain.length() >= WORTHWHILE
        && !context.parts.limits.request_time.is_zero()
    {
        if plain.length() > SHORT && !context.attempt.is_on_worker {
            return ReadResult::OnDemand;
        }
        if let Ok(packed) = encoding.compress_quickly(&plain.concat()) {
            let payload = Payload::Made(Slices::one(packed.into()));
            put_body(&mut response, None, payload, Some(encoding));
        }
    }
    ReadResult::Ready(response)
}

/// The response with a body that is kept or made, in the encoding that the client prefers. `make` returns
/// nothing if a worker has to do it.
#[inline]
fn encoded(
    context: &ReadContext<'_>,
    key: BodyKey,
    mut response: ReadResponse,
    kind: &'static FixedField,
    request: &ReadRequest<'_>,
    make: impl FnOnce() -> Option<Payload>,
) -> ReadResult {
    let kept = context.snapshot.bodies();
    let encoding = choose_encoding(&request.accept_encoding);
    if let Some(kept) = kept.get(key, encoding) {
        put_body(&mut response, Some(kind), kept.into(), encoding);
        return ReadResult::Ready(response);
    }
    let Some(plain) = make() else { return ReadResult::OnDemand };
    match encoding {
        Some(encoding) if plain.length() >= WORTHWHILE => {
            // It may wait for its turn.
            let Ok(held) = context.parts.memory.hold(request.client, &plain) else {
                return ReadResult::Ready(failure(HttpError::Busy, None, response.policy));
            };
            let kept = Arc::clone(kept);
            let times = CompressionTimes::of(&context.parts.limits);
            let body = KeptCompression { kept, key, encoding, plain, held, times, kind, response };
            ReadResult::Compress(Compression::Kept(Box::new(body)))
        }
        _ => {
            if let Payload::Memory(slices) | Payload::Made(slices) = &plain {
                kept.store_large(key, slices.slices());
            }
            put_body(&mut response, Some(kind), plain, None);
            ReadResult::Ready(response)
        }
    }
}

/// Gives a response its body, or another form of the body that it has.
fn put_body(
    response: &mut ReadResponse,
    kind: Option<&'static FixedField>,
    payload: Payload,
    encoding: Option<Encoding>,
) {
    let kind = kind.or_else(|| response.content.as_ref().map(|content| content.kind));
    response.content = kind.map(|kind| Content { kind, payload });
    if let Some(encoding) = encoding {
        response.add(content_encoding(encoding));
    }
}

pub(crate) enum Compression {
    /// A resource or a feed.
    Kept(Box<KeptCompression>),
    Document(Box<DocumentCompression>),
}

impl Compression {
    pub(crate) async fn finish(self) -> ReadResponse {
        match self {
            Self::Kept(body) => body.finish().await,
            Self::Document(body) => body.finish().await,
        }
    }
}

/// A body to compress and to keep for others.
pub(crate) struct KeptCompression {
    kept: Arc<BodyCache>,
    key: BodyKey,
    encoding: Encoding,
    plain: Payload,
    /// The memory of the plain body.
    held: Option<Held>,
    times: CompressionTimes,
    kind: &'static FixedField,
    response: ReadResponse,
}

impl KeptCompression {
    /// Compresses the body. If that takes too long the plain one is sent: a client would rather
    /// have that than wait.
    async fn finish(self) -> ReadResponse {
        let Self { kept, key, encoding, plain, held, times, kind, mut response } = self;
        let made = match &plain {
            Payload::Memory(slices) | Payload::Made(slices) => {
                compress(&kept, key, encoding, slices, times).await
            }
            Payload::File(_) => None,
        };
        // From here on, the sender counts it.
        drop(held);
        match made {
            Some(made) => put_body(&mut response, Some(kind), made.into(), Some(encoding)),
            None => put_body(&mut response, Some(kind), plain, None),
        }
        response
    }
}
