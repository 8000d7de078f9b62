//! What a change to the upstreams' documents writes: only the rows that differ.

use std::collections::{BTreeMap, BTreeSet};

use appstitch_store::{Contents, Document};

use super::{PublishError, SHRINK_PARTS, SourceUpload};

/// The documents after a change, and which of them it writes.
pub(super) struct DocumentRows {
    pub(super) after: Vec<Document>,
    pub(super) put: Vec<Document>,
    pub(super) removed: Vec<(String, String)>,
}

impl DocumentRows {
    /// Puts each upload's documents in place of those it replaces.
    pub(super) fn work_out(
        contents: &Contents,
        uploads: &[SourceUpload],
        allow_shrink: bool,
    ) -> Result<Self, PublishError> {
        let mut after: BTreeMap<(&str, &str), &Document> =
            contents.documents.iter().map(|document| (name(document), document)).collect();
        let mut put = Vec::new();
        let mut removed = Vec::new();
        for upload in uploads {
            let keys: BTreeSet<&str> =
                upload.documents.iter().map(|document| document.key.as_str()).collect();
            let replaced: Vec<(&str, &str)> = after
                .keys()
                .filter(|(source, key)| *source == upload.source && upload.replaces(key))
                .copied()
                .collect();
            let gone: Vec<(&str, &str)> =
                replaced.iter().filter(|(_, key)| !keys.contains(key)).copied().collect();
            if gone.len() * SHRINK_PARTS > replaced.len() && !allow_shrink {
                return Err(PublishError::Shrinks {
                    source_token: upload.source,
                    removed: gone.len(),
                    present: replaced.len(),
                });
            }
            for document in &upload.documents {
                if after.get(&name(document)).is_none_or(|old| old.body != document.body) {
                    put.push(document.clone());
                }
                after.insert(name(document), document);
            }
            for name in gone {
                after.remove(&name);
                removed.push((name.0.to_owned(), name.1.to_owned()));
            }
        }
        Ok(Self { after: after.into_values().cloned().collect(), put, removed })
    }
}

fn name(document: &Document) -> (&str, &str) {
    (&document.source, &document.key)
}
