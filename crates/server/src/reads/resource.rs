//! Resources of the snapshot: conditional, and compressed if the client wants it.

use appstitch_feeds::FeedFormat;
use appstitch_snapshot::{
    BodyKey, Encoding, FoundFeed, Page, Payload, Resource, Slices, Snapshot, WORTHWHILE,
};
use axum::http::StatusCode;

use super::{condition::already_has, negotiate::choose_encoding, paging::add_page_fields};
use crate::{
    aside::aside,
    limits::Limits,
    message::{Answer, Asked, FixedField, JSON, Policy, ReadContext, fixed_field},
};

const ATOM: &FixedField = fixed_field!("content-type", "application/atom+xml; charset=utf-8");
const JSON_FEED: &FixedField = fixed_field!("content-type", "application/feed+json");

const VARY: &FixedField = fixed_field!("vary", "accept-encoding");

/// What a read leads to.
pub(crate) enum ReadOutcome<'a> {
    Ready(Answer<'a>),
    /// The body has to be compressed first.
    Compress(Compression<'a>),
}

/// The answer to a read of a resource.
pub(super) fn answer<'a>(
    context: &ReadContext<'a>,
    resource: Resource,
    asked: &Asked<'_>,
    policy: Policy<'a>,
) -> ReadOutcome<'a> {
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
    let page = match resource {
        Resource::Apps(page) | Resource::Drift(_, page) => Some(page),
        _ => None,
    };
    encoded(context, key, About { kind: JSON, page, policy }, asked, || snapshot.body(resource))
}

/// The answer to a read of a feed.
pub(super) fn answer_feed<'a>(
    context: &ReadContext<'a>,
    found: &FoundFeed,
    asked: &Asked<'_>,
    policy: Policy<'a>,
) -> ReadOutcome<'a> {
    let snapshot = context.snapshot;
    let policy = if found.is_final() { policy.of_final() } else { policy };
    if already_has(&asked.if_none_match, snapshot.token()) {
        let mut answer = Answer::new(StatusCode::NOT_MODIFIED, policy);
        answer.add(VARY);
        return ReadOutcome::Ready(answer);
    }
    let kind = match found.format() {
        FeedFormat::Atom => ATOM,
        FeedFormat::Json => JSON_FEED,
    };
    let about = About { kind, page: None, policy };
    // A feed can have two thousand entries.
    let feed = || aside(|| snapshot.feed_body(found, &context.parts.links));
    let make = || snapshot.kept_feed(found).unwrap_or_else(feed);
    encoded(context, BodyKey::Feed(found.key()), about, asked, make)
}

/// The answer with a body that is kept or made, in the encoding that the client prefers.
#[inline]
fn encoded<'a>(
    context: &ReadContext<'a>,
    key: BodyKey,
    about: About<'a>,
    asked: &Asked<'_>,
    make: impl FnOnce() -> Slices,
) -> ReadOutcome<'a> {
    let snapshot = context.snapshot;
    let encoding = choose_encoding(&asked.accept_encoding);
    if let Some(kept) = snapshot.kept().get(key, encoding) {
        return ReadOutcome::Ready(about.answer(kept.into(), encoding, asked));
    }
    let plain = make();
    match encoding {
        Some(encoding) if plain.length() >= WORTHWHILE => {
            let limits = &context.parts.limits;
            ReadOutcome::Compress(Compression { snapshot, key, encoding, plain, limits, about })
        }
        _ => {
            snapshot.kept().keep_large(key, plain.slices());
            ReadOutcome::Ready(about.answer(plain.into(), None, asked))
        }
    }
}

/// What an answer says about its body.
struct About<'a> {
    kind: &'static FixedField,
    /// The page that it is, if it is one.
    page: Option<Page>,
    policy: Policy<'a>,
}

impl<'a> About<'a> {
    fn answer(self, payload: Payload, encoding: Option<Encoding>, asked: &Asked<'_>) -> Answer<'a> {
        let mut answer = Answer::with_body(StatusCode::OK, self.policy, self.kind, payload);
        answer.add(VARY);
        if let Some(encoding) = encoding {
            answer.add(match encoding {
                Encoding::Brotli => fixed_field!("content-encoding", "br"),
                Encoding::Zstd => fixed_field!("content-encoding", "zstd"),
                Encoding::Gzip => fixed_field!("content-encoding", "gzip"),
            });
        }
        if let Some(page) = self.page {
            add_page_fields(&mut answer, asked.path, asked.query, page.into());
        }
        answer
    }
}

/// A body to compress.
pub(crate) struct Compression<'a> {
    snapshot: &'a Snapshot,
    key: BodyKey,
    encoding: Encoding,
    plain: Slices,
    limits: &'a Limits,
    about: About<'a>,
}

impl<'a> Compression<'a> {
    /// Compresses the body. If that takes too long the plain one is sent: a client would rather
    /// have that than wait.
    pub(crate) async fn finish(self, asked: &Asked<'_>) -> Answer<'a> {
        let Limits { compression_time: patience, request_time: limit, .. } = *self.limits;
        // A timer has a resolution of a millisecond, which is enough for a short body.
        if limit.is_zero() {
            return self.about.answer(self.plain.into(), None, asked);
        }
        let kept = self.snapshot.kept();
        let work = kept.compress(self.key, self.encoding, &self.plain, patience);
        match tokio::time::timeout(limit, work).await {
            Ok(Some(made)) => self.about.answer(made.into(), Some(self.encoding), asked),
            _ => self.about.answer(self.plain.into(), None, asked),
        }
    }
}
