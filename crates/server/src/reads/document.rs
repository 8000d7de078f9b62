//! Documents for browsers: conditional, and compressed if the client wants it.
//!
//! They are made on request, and a person waits for them. So they are compressed quickly rather than
//! as small as possible.

use std::sync::Arc;

use appstitch_bodies::{Payload, Slices};
use appstitch_snapshot::{BodyCache, BodyKey, Encoding, WORTHWHILE};
use axum::http::StatusCode;
use bytes::Bytes;

use super::{
    compression::{CompressionTimes, compress, content_encoding},
    negotiate::choose_quick_encoding,
};
use crate::message::{
    Document, DocumentBody, DocumentKind, Policy, ReadContext, ReadRequest, ReadResponse,
    field_name,
};

/// The maximum length in bytes of a document that a worker compresses on the spot. That takes a fraction
/// of a millisecond, less than passing it to another thread and back.
const SHORT: usize = 32 << 10;

/// The answer to a read of a document, or what has to be compressed first.
pub(super) fn response(
    context: &ReadContext<'_>,
    document: Document,
    request: &ReadRequest<'_>,
) -> Result<ReadResponse, Box<DocumentCompression>> {
    let Document { status, kind, tag, body } = document;
    let about = About { status, kind, tag };
    let (key, text) = match body {
        DocumentBody::NotModified => return Ok(about.not_modified()),
        DocumentBody::Kept(kept, encoding) => return Ok(about.response(kept.into(), encoding)),
        DocumentBody::Short(text) => {
            return Ok(about.response(made(text), None));
        }
        DocumentBody::Made(key, text) => (key, text),
    };
    let chosen = choose_quick_encoding(&request.accept_encoding);
    let Some(encoding) = chosen.filter(|_| text.len() >= WORTHWHILE) else {
        return Ok(about.response(made(text), None));
    };
    let kept = context.snapshot.bodies();
    if text.len() > SHORT {
        let (kept, plain) = (Arc::clone(kept), Slices::one(text));
        let times = CompressionTimes::of(&context.parts.limits);
        let compression = DocumentCompression { kept, times, key, encoding, plain, about };
        return Err(Box::new(compression));
    }
    Ok(match kept.compress_now(key, encoding, &text) {
        Some(packed) => about.response(packed.into(), Some(encoding)),
        None => about.response(made(text), None),
    })
}

/// A document may be kept, but a client that reads slowly holds it for longer.
fn made(text: Bytes) -> Payload {
    Payload::Made(Slices::one(text))
}

/// What a response says about a document.
struct About {
    status: StatusCode,
    kind: &'static DocumentKind,
    tag: Option<String>,
}

impl About {
    fn not_modified(self) -> ReadResponse {
        let policy = Policy::Document(self.kind.fields);
        let mut response = ReadResponse::new(StatusCode::NOT_MODIFIED, policy);
        response.made = self.tag.map(|tag| (field_name!("etag"), format!("W/\"{tag}\"")));
        response
    }

    fn response(self, payload: Payload, encoding: Option<Encoding>) -> ReadResponse {
        let policy = Policy::Document(self.kind.fields);
        let mut response =
            ReadResponse::with_body(self.status, policy, self.kind.content_type, payload);
        if let Some(encoding) = encoding {
            response.add(content_encoding(encoding));
        }
        response.made = self.tag.map(|tag| (field_name!("etag"), format!("W/\"{tag}\"")));
        response
    }
}

pub(crate) struct DocumentCompression {
    kept: Arc<BodyCache>,
    times: CompressionTimes,
    key: BodyKey,
    encoding: Encoding,
    plain: Slices,
    about: About,
}

impl DocumentCompression {
    /// Compresses the document. If that takes too long the plain one is sent.
    pub(crate) async fn finish(self: Box<Self>) -> ReadResponse {
        let Self { kept, times, key, encoding, plain, about } = *self;
        match compress(&kept, key, encoding, &plain, times).await {
            Some(packed) => about.response(packed.into(), Some(encoding)),
            None => about.response(Payload::Made(plain), None),
        }
    }
}
