//! The rows that a change to the documents of the upstreams writes: only those that differ.
//!
//! The files of a source that arrive together replace all documents of their kind, regardless of
//! origin. Only the origins listed in `staying` keep their documents.

use std::collections::{BTreeMap, BTreeSet};

use appstitch_store::{Contents, Document, DocumentName};
use bytes::Bytes;

use crate::{
    origin::{SAMPLE, StitchedDocument, is_finder, stitched},
    publish_error::{PublishError, SHRINK_PARTS},
    source_upload::{SourceUpload, StayingOrigin},
};

/// A document's source, key and origin: the order in which documents are stored.
type NameInOrder<'a> = (&'a str, &'a str, &'a str);

/// The documents after a change, and which of them it writes.
pub(crate) struct DocumentRows<'a> {
    /// The documents to stitch, in order of source and key.
    pub(crate) after: Vec<StitchedDocument<'a>>,
    /// Whether they differ from the documents stitched before.
    pub(crate) changed: bool,
    pub(crate) put: Vec<Document>,
    pub(crate) removed: Vec<DocumentName>,
}

impl<'a> DocumentRows<'a> {
    /// Replaces stored documents with those of the files.
    pub(crate) fn work_out(
        contents: &'a Contents,
        uploads: &'a [SourceUpload],
        staying: &[StayingOrigin],
        allow_shrink: bool,
    ) -> Result<Self, PublishError> {
        let before: BTreeMap<NameInOrder<'a>, &'a Bytes> =
            contents.documents.iter().map(|document| (name(document), &document.body)).collect();
        let mut arriving: BTreeMap<NameInOrder<'a>, &'a Bytes> = BTreeMap::new();
        for upload in uploads {
            for entry in &upload.entries {
                let name = (upload.source, entry.key.as_str(), upload.origin.as_str());
                arriving.entry(name).or_insert(&entry.body);
            }
        }
        let replacement = Replacement::new(uploads, staying);
        let mut after = before.clone();
        after.retain(|name, _| arriving.contains_key(name) || !replacement.replaces(*name));
        after.extend(arriving.iter().map(|(name, body)| (*name, *body)));
        if !allow_shrink {
            replacement.reject_to_shrink(&before, &after)?;
        }
        let put = arriving
            .iter()
            .filter(|(name, body)| before.get(*name) != Some(*body))
            .map(|((source, key, origin), body)| Document {
                source: (*source).to_owned(),
                origin: (*origin).to_owned(),
                key: (*key).to_owned(),
                body: Bytes::clone(body),
            })
            .collect();
        let removed = before.keys().filter(|name| !after.contains_key(*name)).map(owned).collect();
        Ok(Self::of(contents, &after, put, removed))
    }

    pub(crate) fn without_sample(contents: &'a Contents) -> Self {
        let (sample, others): (Vec<&Document>, Vec<&Document>) =
            contents.documents.iter().partition(|document| document.origin == SAMPLE);
        let after = others.into_iter().map(|document| (name(document), &document.body)).collect();
        let removed = sample.into_iter().map(|document| owned(&name(document))).collect();
        Self::of(contents, &after, Vec::new(), removed)
    }

    pub(crate) fn unchanged(contents: &'a Contents) -> Self {
        let after = stitched(contents.documents.iter().map(StitchedDocument::from)).collect();
        Self { after, changed: false, put: Vec::new(), removed: Vec::new() }
    }

    fn of(
        contents: &'a Contents,
        after: &BTreeMap<NameInOrder<'a>, &'a Bytes>,
        put: Vec<Document>,
        removed: Vec<DocumentName>,
    ) -> Self {
        let rows =
            after.iter().map(|((source, key, _), body)| StitchedDocument { source, key, body });
        let after: Vec<StitchedDocument<'a>> = stitched(rows).collect();
        let untouched = put.is_empty() && removed.is_empty();
        let before = stitched(contents.documents.iter().map(StitchedDocument::from));
        let changed = !untouched && !before.eq(after.iter().copied());
        Self { after, changed, put, removed }
    }
}

fn name(document: &Document) -> NameInOrder<'_> {
    (&document.source, &document.key, &document.origin)
}

fn owned((source, key, origin): &NameInOrder<'_>) -> DocumentName {
    DocumentName {
        source: (*source).to_owned(),
        origin: (*origin).to_owned(),
        key: (*key).to_owned(),
    }
}

/// The documents that a change replaces.
struct Replacement<'a> {
    /// The sources and kinds of the new files.
    kinds: BTreeSet<(&'static str, &'static str)>,
    /// The sources and keys of added documents. Documents of other origins with the same key are
    /// outdated, except those of another finder.
    added: BTreeSet<(&'a str, &'a str)>,
    staying: BTreeSet<(&'a str, &'a str)>,
    /// Whether the files replace the sample.
    sample_leaves: bool,
}

impl<'a> Replacement<'a> {
    fn new(uploads: &'a [SourceUpload], staying: &'a [StayingOrigin]) -> Self {
        let adding = uploads.iter().filter(|upload| upload.replaces.is_none());
        Self {
            kinds: uploads
                .iter()
                .filter_map(|upload| Some((upload.source, upload.replaces?)))
                .collect(),
            added: adding
                .flat_map(|upload| {
                    upload.entries.iter().map(|entry| (upload.source, entry.key.as_str()))
                })
                .collect(),
            staying: staying
                .iter()
                .map(|staying| (staying.source, staying.origin.as_str()))
                .collect(),
            sample_leaves: uploads.iter().any(SourceUpload::is_real_file),
        }
    }

    fn replaces(&self, (source, key, origin): NameInOrder<'_>) -> bool {
        if origin == SAMPLE && self.sample_leaves {
            return true;
        }
        let mut kinds = self.kinds.iter();
        let arrives =
            kinds.any(|(kind_source, prefix)| *kind_source == source && key.starts_with(prefix));
        (arrives && !self.staying.contains(&(source, origin)))
            || (self.added.contains(&(source, key)) && !is_finder(origin))
    }

    /// Rejects a change that removes more than a fifth of a source's documents of one kind.
    /// Documents of the sample do not count.
    fn reject_to_shrink(
        &self,
        before: &BTreeMap<NameInOrder<'_>, &Bytes>,
        after: &BTreeMap<NameInOrder<'_>, &Bytes>,
    ) -> Result<(), PublishError> {
        let stays = |source: &str, key: &str| {
            let next = after.range((source, key, "")..).next();
            next.is_some_and(|((found, found_key, _), _)| (*found, *found_key) == (source, key))
        };
        for (source_token, prefix) in &self.kinds {
            let present: BTreeSet<&str> = before
                .keys()
                .filter(|(source, key, origin)| {
                    source == source_token && key.starts_with(prefix) && *origin != SAMPLE
                })
                .map(|(_, key, _)| *key)
                .collect();
            let removed = present.iter().filter(|key| !stays(source_token, key)).count();
            if removed * SHRINK_PARTS > present.len() {
                let present = present.len();
                return Err(PublishError::Shrinks { source_token, removed, present });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
