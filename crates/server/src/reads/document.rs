//! Documents for browsers: conditional, and compressed if the client wants it.
//!
//! They are made on request, and a person waits for them. So they are compressed quickly rather than
//! as small as possible.

use appstitch_snapshot::{BodyKey, Encoding, Payload, Slices, Snapshot, WORTHWHILE};
use axum::http::StatusCode;

use super::{
    compression::{SHORT, compress, content_encoding},
    negotiate::choose_quick_encoding,
};
use crate::{
    limits::Limits,
    message::{
        Answer, Asked, Document, DocumentBody, DocumentKind, Policy, ReadContext, field_name,
    },
};

/// The answer to a read of a document, or what has to be compressed first.
pub(super) fn answer<'a>(
    context: &ReadContext<'a>,
    document: Document,
    asked: &Asked<'_>,
) -> Result<Answer<'a>, Box<DocumentCompression<'a>>> {
    let Document { status, kind, tag, body } = document;
    let about = About { status, kind, tag };
    let (key, text) = match body {
        DocumentBody::NotModified => return Ok(about.not_modified()),
        DocumentBody::Kept(kept, encoding) => return Ok(about.answer(kept.into(), encoding)),
        DocumentBody::Short(text) => {
            return Ok(about.answer(Slices::one(text).into(), None));
        }
        DocumentBody::Made(key, text) => (key, text),
    };
    let chosen = choose_quick_encoding(&asked.accept_encoding);
    let Some(encoding) = chosen.filter(|_| text.len() >= WORTHWHILE) else {
        return Ok(about.answer(Slices::one(text).into(), None));
    };
    let (snapshot, limits) = (context.snapshot, &context.parts.limits);
    if text.len() > SHORT {
        let plain = Slices::one(text);
        let compression = DocumentCompression { snapshot, limits, key, encoding, plain, about };
        return Err(Box::new(compression));
    }
    Ok(match snapshot.kept().compress_now(key, encoding, &text) {
        Some(made) => about.answer(made.into(), Some(encoding)),
        None => about.answer(Slices::one(text).into(), None),
    })
}

/// What an answer says about a document.
struct About {
    status: StatusCode,
    kind: &'static DocumentKind,
    tag: Option<String>,
}

impl About {
    fn not_modified(self) -> Answer<'static> {
        let policy = Policy::Document(self.kind.fields);
        let mut answer = Answer::new(StatusCode::NOT_MODIFIED, policy);
        answer.made = self.tag.map(|tag| (field_name!("etag"), format!("W/\"{tag}\"")));
        answer
    }

    fn answer(self, payload: Payload, encoding: Option<Encoding>) -> Answer<'static> {
        let policy = Policy::Document(self.kind.fields);
        let mut answer = Answer::with_body(self.status, policy, self.kind.content_type, payload);
        if let Some(encoding) = encoding {
            answer.add(content_encoding(encoding));
        }
        answer.made = self.tag.map(|tag| (field_name!("etag"), format!("W/\"{tag}\"")));
        answer
    }
}

/// A document to compress.
pub(crate) struct DocumentCompression<'a> {
    snapshot: &'a Snapshot,
    limits: &'a Limits,
    key: BodyKey,
    encoding: Encoding,
    plain: Slices,
    about: About,
}

impl DocumentCompression<'_> {
    /// Compresses the document. If that takes too long the plain one is sent.
    pub(crate) async fn finish(self: Box<Self>) -> Answer<'static> {
        let Self { snapshot, limits, key, encoding, plain, about } = *self;
        match compress(snapshot, key, encoding, &plain, limits).await {
            Some(made) => about.answer(made.into(), Some(encoding)),
            None => about.answer(plain.into(), None),
        }
    }
}
