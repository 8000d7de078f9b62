//! The origins of documents, and which documents are stitched.
//!
//! A document belongs to its origin: the URL it was fetched from, the part of an upload, or the
//! built-in sample. Several origins of one source can have a document with the same key. In that
//! case the document whose origin is first in byte order is stitched, so that the same documents
//! always make the same catalog. The others stay in the store and are used if the first one is
//! removed. The results of running a label are the exception: each finder has a document, and all of
//! them are stitched.

use appstitch_sources::RESOLUTION;
use appstitch_store::Document;
use appstitch_types::FoundBy;
use bytes::Bytes;

pub(crate) const SAMPLE: &str = "sample";

/// The origin of the labels that a finder resolved. The tracker is a separate source.
pub(crate) const fn finder_origin(finder: FoundBy) -> &'static str {
    match finder {
        FoundBy::Run => "run",
        FoundBy::Posted => "resolved",
        FoundBy::Tracker => "tracker",
    }
}

/// Whether documents of this origin are the results of one finder.
pub(crate) fn is_finder(origin: &str) -> bool {
    [FoundBy::Run, FoundBy::Posted].into_iter().any(|finder| finder_origin(finder) == origin)
}

/// The origin of an uploaded file. `number` counts the files of its source in the upload, starting
/// at 1. Earlier files are first in byte order, so they have precedence.
#[must_use]
pub fn upload_origin(number: usize) -> String {
    match number {
        0 | 1 => "upload".to_owned(),
        _ => format!("upload {number:04}"),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StitchedDocument<'a> {
    pub(crate) source: &'a str,
    pub(crate) key: &'a str,
    pub(crate) body: &'a Bytes,
}

impl StitchedDocument<'_> {
    /// Whether it is an entry of its source, as opposed to the result of running a label.
    pub(crate) fn is_entry(&self) -> bool {
        !self.key.starts_with(RESOLUTION)
    }
}

impl<'a> From<&'a Document> for StitchedDocument<'a> {
    fn from(document: &'a Document) -> Self {
        Self { source: &document.source, key: &document.key, body: &document.body }
    }
}

/// The first document of each source and key, and every result of running a label. The input must be in order of source, key and
/// origin.
pub(crate) fn stitched<'a, D>(documents: impl Iterator<Item = D>) -> impl Iterator<Item = D>
where
    D: Copy + Into<StitchedDocument<'a>>,
{
    let mut last: Option<(&str, &str)> = None;
    documents.filter(move |document| {
        let document: StitchedDocument<'a> = (*document).into();
        let name = (document.source, document.key);
        last.replace(name) != Some(name) || !document.is_entry()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_files_of_an_upload_take_precedence() {
        let origins: Vec<String> = [1, 2, 9, 10, 11, 100].map(upload_origin).to_vec();
        assert!(origins.is_sorted(), "{origins:?}");
    }
}
