//! Resources of the snapshot: conditional, and compressed if the client wants it.
//!
//! A body that was made for one request, such as the hits of a search, is compressed as well, but not
//! kept.

use std::sync::Arc;

use appstitch_bodies::{Payload, Slices};
use appstitch_feeds::FeedFormat;
use appstitch_snapshot::{
    BodyKey, Encoding, FoundFeed, KeptBodies, Resource, SinceError, WORTHWHILE,
};
use appstitch_wire::Held;
use axum::http::StatusCode;

use super::{
    compression::{CompressionTimes, compress, content_encoding},
    condition::already_has,
    document::DocumentCompression,
    negotiate::{choose_encoding, choose_quick_encoding},
    paging::add_page_fields,
};
use crate::{
    http_error::HttpError,
    message::{Answer, Asked, Content, FINAL, FixedField, JSON, Policy, ReadContext, fixed_field},
    reads::failure,
};

const ATOM: &FixedField = fixed_field!("content-type", "application/atom+xml; charset=utf-8");
const JSON_FEED: &FixedField = fixed_field!("content-type", "application/feed+json");

pub(super) const VARY: &FixedField = fixed_field!("vary", "accept-encoding");

/// Up to this many rows are collected on the thread that receives requests: that takes some
/// microseconds, less than passing the request to a worker.
const FEW_ROWS: usize = 200;

/// The same for a body that is compressed for one request, in bytes.
const SHORT: usize = 4 << 10;

/// What a read leads to.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every read is ready, and a box would cost more than the copy"
)]
pub(crate) enum ReadOutcome {
    Ready(Answer),
    /// The body has to be compressed first.
    Compress(Compression),
    /// It takes more than some microseconds: a worker has to answer.
    OnDemand,
    /// The position of the changes is unknown, unless this server is behind another one on the same
    /// store.
    Ahead(SinceError),
}

/// The answer to a read of a resource.
pub(super) fn answer(
    context: &ReadContext<'_>,
    resource: Resource,
    asked: &Asked<'_>,
    policy: Policy,
) -> ReadOutcome {
    let snapshot = context.snapshot;
    if already_has(&asked.if_none_match, snapshot.token()) {
        let mut answer = Answer::new(StatusCode::NOT_MODIFIED, policy);
        if resource.key().is_some() {
            answer.add(VARY);
        }
        return ReadOutcome::Ready(answer);
    }
    // Short bodies are sent as they are, whatever the client accepts.
    let Some(key) = resource.key() else {
        let body = snapshot.body(resource);
        return ReadOutcome::Ready(Answer::with_body(StatusCode::OK, policy, JSON, body));
    };
    let mut answer = Answer::new(StatusCode::OK, policy);
    answer.add(VARY);
    if let Resource::Apps(page) | Resource::Drift(_, page) = resource {
        add_page_fields(&mut answer, asked.path, asked.query, page.into());
    }
    let work = resource.work();
    let make = || {
        let may_make = work <= FEW_ROWS || context.is_on_worker;
        may_make.then(|| match snapshot.body(resource) {
            body if work == 0 => Payload::Memory(body),
            body => Payload::Made(body),
        })
    };
    encoded(context, key, answer, JSON, asked, make)
}

/// The answer to a read of a feed.
pub(super) fn answer_feed(
    context: &ReadContext<'_>,
    found: &FoundFeed,
    asked: &Asked<'_>,
    policy: Policy,
) -> ReadOutcome {
    let snapshot = context.snapshot;
    let policy = if found.is_final() { policy.cached(FINAL) } else { policy };
    if already_has(&asked.if_none_match, snapshot.token()) {
        let mut answer = Answer::new(StatusCode::NOT_MODIFIED, policy);
        answer.add(VARY);
        return ReadOutcome::Ready(answer);
    }
    let kind = match found.format() {
        FeedFormat::Atom => ATOM,
        FeedFormat::Json => JSON_FEED,
    };
    let mut answer = Answer::new(StatusCode::OK, policy);
    answer.add(VARY);
    let make = || match snapshot.kept_feed(found) {
        Some(body) => Some(Payload::Made(body)),
        // A feed can have two thousand entries.
        None if !context.is_on_worker => None,
        None => Some(Payload::Made(snapshot.feed_body(found, &context.parts.links))),
    };
    encoded(context, BodyKey::Feed(found.key()), answer, kind, asked, make)
}

/// An answer with a body that was made for this request, in the encoding that the client prefers.
pub(super) fn answer_made(
    context: &ReadContext<'_>,
    mut answer: Answer,
    vary: &'static FixedField,
    asked: &Asked<'_>,
) -> ReadOutcome {
    answer.add(vary);
    if let Some(encoding) = choose_quick_encoding(&asked.accept_encoding)
        && let Some(Content { payload: Payload::Made(plain), .. }) = &answer.content
        && plain.length() >= WORTHWHILE
        && !context.parts.limits.request_time.is_zero()
    {
        if plain.length() > SHORT && !context.is_on_worker {
            return ReadOutcome::OnDemand;
        }
        if let Ok(packed) = encoding.compress_quickly(&plain.concat()) {
            let payload = Payload::Made(Slices::one(packed.into()));
            put_body(&mut answer, None, payload, Some(encoding));
        }
    }
    ReadOutcome::Ready(answer)
}

/// The answer with a body that is kept or made, in the encoding that the client prefers. `make` returns
/// nothing if a worker has to do it.
#[inline]
fn encoded(
    context: &ReadContext<'_>,
    key: BodyKey,
    mut answer: Answer,
    kind: &'static FixedField,
    asked: &Asked<'_>,
    make: impl FnOnce() -> Option<Payload>,
) -> ReadOutcome {
    let kept = context.snapshot.kept();
    let encoding = choose_encoding(&asked.accept_encoding);
    if let Some(kept) = kept.get(key, encoding) {
        put_body(&mut answer, Some(kind), kept.into(), encoding);
        return ReadOutcome::Ready(answer);
    }
    let Some(plain) = make() else { return ReadOutcome::OnDemand };
    match encoding {
        Some(encoding) if plain.length() >= WORTHWHILE => {
            // It may wait for its turn.
            let Ok(held) = context.parts.memory.hold(asked.client, &plain) else {
                return ReadOutcome::Ready(failure(HttpError::Busy, None, answer.policy));
            };
            let kept = Arc::clone(kept);
            let times = CompressionTimes::of(&context.parts.limits);
            let body = KeptCompression { kept, key, encoding, plain, held, times, kind, answer };
            ReadOutcome::Compress(Compression::Kept(Box::new(body)))
        }
        _ => {
            if let Payload::Memory(slices) | Payload::Made(slices) = &plain {
                kept.keep_large(key, slices.slices());
            }
            put_body(&mut answer, Some(kind), plain, None);
            ReadOutcome::Ready(answer)
        }
    }
}

/// Gives an answer its body, or another form of the body that it has.
fn put_body(
    answer: &mut Answer,
    kind: Option<&'static FixedField>,
    payload: Payload,
    encoding: Option<Encoding>,
) {
    let kind = kind.or_else(|| answer.content.as_ref().map(|content| content.kind));
    answer.content = kind.map(|kind| Content { kind, payload });
    if let Some(encoding) = encoding {
        answer.add(content_encoding(encoding));
    }
}

/// A body to compress.
pub(crate) enum Compression {
    /// A resource or a feed.
    Kept(Box<KeptCompression>),
    /// A document.
    Document(Box<DocumentCompression>),
}

impl Compression {
    /// Compresses the body.
    pub(crate) async fn finish(self) -> Answer {
        match self {
            Self::Kept(body) => body.finish().await,
            Self::Document(body) => body.finish().await,
        }
    }
}

/// A body to compress and to keep for others.
pub(crate) struct KeptCompression {
    kept: Arc<KeptBodies>,
    key: BodyKey,
    encoding: Encoding,
    plain: Payload,
    /// The memory of the plain body.
    held: Option<Held>,
    times: CompressionTimes,
    kind: &'static FixedField,
    /// The answer without its body.
    answer: Answer,
}

impl KeptCompression {
    /// Compresses the body. If that takes too long the plain one is sent: a client would rather
    /// have that than wait.
    async fn finish(self) -> Answer {
        let Self { kept, key, encoding, plain, held, times, kind, mut answer } = self;
        let made = match &plain {
            Payload::Memory(slices) | Payload::Made(slices) => {
                compress(&kept, key, encoding, slices, times).await
            }
            Payload::File(_) => None,
        };
        // From now on, whoever sends it counts it.
        drop(held);
        match made {
            Some(made) => put_body(&mut answer, Some(kind), made.into(), Some(encoding)),
            None => put_body(&mut answer, Some(kind), plain, None),
        }
        answer
    }
}
