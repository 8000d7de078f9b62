//! What a browser shows: a page, a picture, a table.

use appstitch_snapshot::{BodyKey, Encoding, KeptBody};
use axum::http::StatusCode;
use bytes::Bytes;

use super::FixedField;

/// What a document is, and what its answer carries for that.
#[derive(Debug)]
pub(crate) struct DocumentKind {
    pub(crate) content_type: &'static FixedField,
    /// Everything else but the entity tag: cache policy, what it varies with, what it may load.
    pub(crate) fields: &'static [&'static FixedField],
}

/// A document.
pub(crate) struct Document {
    pub(crate) status: StatusCode,
    pub(crate) kind: &'static DocumentKind,
    /// The token inside its entity tag.
    pub(crate) tag: Option<String>,
    pub(crate) body: DocumentBody,
}

/// The body of a document.
pub(crate) enum DocumentBody {
    /// The client has it.
    NotModified,
    /// In the encoding that the client prefers.
    Kept(KeptBody, Option<Encoding>),
    /// Made for this request, and too short to be compressed or kept.
    Short(Bytes),
    /// Made for this request; kept under its key.
    Made(BodyKey, Bytes),
}
