//! Where documents come from, and which of them are stitched.
//!
//! A document belongs to its origin: the address it was fetched from, the part of an upload, or
//! the built-in sample. Several origins of one source may hold a document with the same key. Then
//! the one whose origin comes first in byte order is stitched, so the same documents always make
//! the same catalog. The others stay in the store and take over if that one goes.

use appstitch_store::Document;
use bytes::Bytes;

/// The origin of the built-in sample.
pub(crate) const SAMPLE: &str = "sample";

/// The origin of what was found by running labels.
pub(crate) const RESOLVED: &str = "resolved";

/// The origin of a file that was uploaded, by its number among the files of its source in that
/// upload, starting at 1. Earlier files come first in byte order, so they take precedence.
#[must_use]
pub fn upload_origin(number: usize) -> String {
    match number {
        0 | 1 => "upload".to_owned(),
        _ => format!("upload {number:04}"),
    }
}

/// A document that is stitched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StitchedDocument<'a> {
    pub(crate) source: &'a str,
    pub(crate) key: &'a str,
    pub(crate) body: &'a Bytes,
}

impl<'a> From<&'a Document> for StitchedDocument<'a> {
    fn from(document: &'a Document) -> Self {
        Self { source: &document.source, key: &document.key, body: &document.body }
    }
}

/// The first document of each source and key. Documents come in order of source, key and origin.
pub(crate) fn stitched<'a, D>(documents: impl Iterator<Item = D>) -> impl Iterator<Item = D>
where
    D: Copy + Into<StitchedDocument<'a>>,
{
    let mut last: Option<(&str, &str)> = None;
    documents.filter(move |document| {
        let StitchedDocument { source, key, .. } = (*document).into();
        last.replace((source, key)) != Some((source, key))
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
