//! What an endpoint is given, and what it returns.

use std::borrow::Cow;

use appstitch_exports::ExportFormat;
use appstitch_snapshot::{
    BodyKey, CachedBody, Encoding, ExportFile, Filter, Page, ResolvedFeed, Resource, Snapshot,
};
use appstitch_wire::Attempt;
pub(crate) use appstitch_wire::{
    Content, FixedField, HeaderField, Policy, ReadRequest, ReadResponse, Verb, field_name,
    fixed_field,
};
use axum::http::StatusCode;
use bytes::Bytes;
use percent_encoding::percent_decode_str;

use crate::{http_error::HttpError, parts::ServiceParts};

pub(crate) type ReadHandler = fn(&ReadContext<'_>, &ReadRequest<'_>) -> EndpointResult;

pub(crate) type EndpointResult = Result<Representation, HttpError>;

pub(crate) struct ReadContext<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) parts: &'a ServiceParts,
    /// The segment of the path that the route leaves open, still percent-encoded.
    pub(crate) segment: &'a str,
    /// Whether it may take its time, and what it has waited for.
    pub(crate) attempt: Attempt,
}

impl ReadContext<'_> {
    /// From here on, it takes more than some microseconds. Others wait for the thread that receives
    /// requests, so this fails there, and a worker tries again.
    pub(crate) fn begin_work(&self) -> Result<(), HttpError> {
        if self.attempt.is_on_worker { Ok(()) } else { Err(HttpError::OnDemand) }
    }

    /// What has to be waited for is there, or cannot be had. Before that, this fails, and the request
    /// is tried again after the wait.
    pub(crate) fn wait_once(&self, wait: Wait) -> Result<(), HttpError> {
        if self.attempt.waited.is_some() { Ok(()) } else { Err(HttpError::Wait(wait)) }
    }

    /// The slug or name in the path.
    pub(crate) fn slug(&self) -> Cow<'_, str> {
        decode_segment(self.segment)
    }
}

/// What a read may have to wait for.
#[derive(Debug)]
pub(crate) enum Wait {
    /// What another server on the same store has published.
    CatchUp,
    /// The files of the catalog.
    CatalogFiles,
    /// The same of a revision that another server on the same store has published.
    NewerCatalogFiles,
    /// The exports of many apps.
    Exports(ExportFormat, Box<Filter>),
}

/// A segment of a path, decoded. Bytes that are not text are replaced: such a name is unknown
/// anyway.
pub(crate) fn decode_segment(segment: &str) -> Cow<'_, str> {
    if segment.as_bytes().contains(&b'%') {
        percent_decode_str(segment).decode_utf8_lossy()
    } else {
        Cow::Borrowed(segment)
    }
}

pub(crate) enum Representation {
    /// A resource of the snapshot: it has an entity tag and may be compressed.
    Resource(Resource),
    /// A feed: it has the entity tag of the snapshot and may be compressed.
    Feed(Box<ResolvedFeed>),
    /// A body that was made from the snapshot for this request: it has its entity tag and may be
    /// compressed.
    Tagged(Bytes),
    /// JSON that was made from the snapshot, with its own entity tag: it also depends on the program. It may
    /// be compressed.
    Hashed(ExportFile),
    Page(Bytes, PageWindow),
    /// A file that is saved under a name. It is short or already compressed.
    Saved {
        content_type: &'static FixedField,
        /// Of letters, digits and other characters that need no quotes.
        file_name: String,
        file: ExportFile,
    },
    /// A body with its own entity tag. It may be compressed.
    Versioned {
        content_type: &'static FixedField,
        /// The token inside the entity tag.
        token: String,
        cache_control: &'static FixedField,
        body: Bytes,
    },
    /// A short body, or one that is shared.
    Body {
        content_type: &'static FixedField,
        /// Its cache policy, or what it varies with.
        about: Option<&'static FixedField>,
        body: Bytes,
    },
    /// A body that was made for this request and is not short.
    Made(&'static FixedField, Bytes),
    /// Something that a browser shows.
    Document(Box<Document>),
    /// What is asked for is at another address.
    Moved(String),
}

impl Representation {
    /// A body with nothing special about it.
    pub(crate) fn body(content_type: &'static FixedField, body: impl Into<Bytes>) -> Self {
        Self::Body { content_type, about: None, body: body.into() }
    }
}

impl From<Resource> for Representation {
    fn from(resource: Resource) -> Self {
        Self::Resource(resource)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PageWindow {
    pub(crate) limit: usize,
    pub(crate) offset: usize,
    pub(crate) total: usize,
}

impl From<Page> for PageWindow {
    fn from(page: Page) -> Self {
        Self { limit: page.limit, offset: page.offset, total: page.total }
    }
}

/// What a document is, and what its response carries for that.
#[derive(Debug)]
pub(crate) struct DocumentKind {
    pub(crate) content_type: &'static FixedField,
    /// Everything else but the entity tag: cache policy, what it varies with, what it may load.
    pub(crate) fields: &'static [&'static FixedField],
}

pub(crate) struct Document {
    pub(crate) status: StatusCode,
    pub(crate) kind: &'static DocumentKind,
    /// The token inside its entity tag.
    pub(crate) tag: Option<String>,
    pub(crate) body: DocumentBody,
}

pub(crate) enum DocumentBody {
    NotModified,
    /// In the encoding that the client prefers.
    Kept(CachedBody, Option<Encoding>),
    /// Made for this request, and too short to be compressed or kept.
    Short(Bytes),
    /// Made for this request; kept under its key.
    Made(BodyKey, Bytes),
}

/// An internal failure is temporary and must not be cached.
pub(crate) const FAILURE: &FixedField = fixed_field!("cache-control", "no-store");

/// The media type of nearly everything.
pub(crate) const JSON: &FixedField = fixed_field!("content-type", "application/json");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_is_decoded() {
        assert_eq!(decode_segment("notepad%2B%2B"), "notepad++");
        assert_eq!(decode_segment("%FF"), "\u{fffd}");
        assert_eq!(decode_segment("a%2Fb"), "a/b");
    }
}
