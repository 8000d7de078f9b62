//! Resources of the snapshot: conditional, and compressed if the client wants it.
//!
//! A body that was made for one request, such as the hits of a search, is compressed as well, but not
//! kept.

use appstitch_feeds::FeedFormat;
use appstitch_snapshot::{
    BodyKey, Encoding, FoundFeed, Page, Payload, Resource, SinceError, Slices, Snapshot, WORTHWHILE,
};
use axum::http::StatusCode;
use bytes::Bytes;

use super::{
    compression::{SHORT, compress, content_encoding},
    condition::already_has,
    document::DocumentCompression,
    negotiate::{choose_encoding, choose_quick_encoding},
    paging::add_page_fields,
};
use crate::{
    aside::aside,
    limits::Limits,
    message::{Answer, Asked, Content, FixedField, JSON, Policy, ReadContext, fixed_field},
};

const ATOM: &FixedField = fixed_field!("content-type", "application/atom+xml; charset=utf-8");
const JSON_FEED: &FixedField = fixed_field!("content-type", "application/feed+json");

pub(super) const VARY: &FixedField = fixed_field!("vary", "accept-encoding");

/// What a read leads to.
pub(crate) enum ReadOutcome<'a> {
    Ready(Answer<'a>),
    /// The body has to be compressed first.
    Compress(Compression<'a>),
    /// The position of the changes is unknown, unless this server is behind another one on the same
    /// store.
    Ahead(SinceError),
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

/// An answer with a body that was made for this request, in the encoding that the client prefers.
pub(super) fn answer_made<'a>(
    context: &ReadContext<'a>,
    mut answer: Answer<'a>,
    vary: &'static FixedField,
    asked: &Asked<'_>,
) -> ReadOutcome<'a> {
    answer.add(vary);
    let encoding = choose_quick_encoding(&asked.accept_encoding);
    match (encoding, &answer.content) {
        (Some(encoding), Some(Content { payload: Payload::Memory(plain), .. }))
            if plain.length() >= WORTHWHILE && !context.parts.limits.request_time.is_zero() =>
        {
            let (snapshot, plain) = (context.snapshot, plain.clone());
            if plain.length() <= SHORT {
                let packed = encoding.compress_quickly(&plain.concat()).ok();
                return ReadOutcome::Ready(packed_answer(
                    answer,
                    encoding,
                    packed.map(Bytes::from),
                ));
            }
            let made = MadeCompression { snapshot, encoding, plain, answer };
            ReadOutcome::Compress(Compression::Made(Box::new(made)))
        }
        _ => ReadOutcome::Ready(answer),
    }
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
            let body = KeptCompression { snapshot, key, encoding, plain, limits, about };
            ReadOutcome::Compress(Compression::Kept(body))
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
            answer.add(content_encoding(encoding));
        }
        if let Some(page) = self.page {
            add_page_fields(&mut answer, asked.path, asked.query, page.into());
        }
        answer
    }
}

/// A body to compress.
#[expect(
    clippy::large_enum_variant,
    reason = "pages are compressed more often than bodies for one request, so they are not boxed"
)]
pub(crate) enum Compression<'a> {
    /// One that is kept for others.
    Kept(KeptCompression<'a>),
    /// One that was made for this request.
    Made(Box<MadeCompression<'a>>),
    /// A document.
    Document(Box<DocumentCompression<'a>>),
}

impl<'a> Compression<'a> {
    /// Compresses the body.
    pub(crate) async fn finish(self, asked: &Asked<'_>) -> Answer<'a> {
        match self {
            Self::Kept(body) => body.finish(asked).await,
            Self::Made(body) => body.finish().await,
            Self::Document(body) => body.finish().await,
        }
    }
}

/// A body to compress and to keep.
pub(crate) struct KeptCompression<'a> {
    snapshot: &'a Snapshot,
    key: BodyKey,
    encoding: Encoding,
    plain: Slices,
    limits: &'a Limits,
    about: About<'a>,
}

impl<'a> KeptCompression<'a> {
    /// Compresses the body. If that takes too long the plain one is sent: a client would rather
    /// have that than wait.
    async fn finish(self, asked: &Asked<'_>) -> Answer<'a> {
        let made = compress(self.snapshot, self.key, self.encoding, &self.plain, self.limits).await;
        match made {
            Some(made) => self.about.answer(made.into(), Some(self.encoding), asked),
            None => self.about.answer(self.plain.into(), None, asked),
        }
    }
}

/// An answer whose body is to be compressed for one request.
pub(crate) struct MadeCompression<'a> {
    snapshot: &'a Snapshot,
    encoding: Encoding,
    plain: Slices,
    answer: Answer<'a>,
}

impl<'a> MadeCompression<'a> {
    /// Compresses the body. If too many others are being compressed, the plain one is sent.
    async fn finish(self) -> Answer<'a> {
        let Self { snapshot, encoding, plain, answer } = self;
        packed_answer(answer, encoding, snapshot.kept().compress_once(encoding, plain).await)
    }
}

/// An answer with its body compressed, or plain if that was not possible.
fn packed_answer(mut answer: Answer<'_>, encoding: Encoding, packed: Option<Bytes>) -> Answer<'_> {
    if let (Some(packed), Some(content)) = (packed, &mut answer.content) {
        content.payload = Slices::one(packed).into();
        answer.add(content_encoding(encoding));
    }
    answer
}
