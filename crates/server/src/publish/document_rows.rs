//! What a change to the upstreams' documents writes: only the rows that differ.

use std::collections::{BTreeMap, BTreeSet};

use appstitch_store::{Contents, Document};

use super::{PublishError, SHRINK_PARTS, SourceUpload};
use crate::sample::DocumentName;

/// The documents after a change, and which of them it writes.
pub(super) struct DocumentRows<'a> {
    pub(super) after: Vec<&'a Document>,
    pub(super) put: Vec<Document>,
    pub(super) removed: Vec<(String, String)>,
}

impl<'a> DocumentRows<'a> {
    /// Puts each upload's documents in place of those it replaces.
    pub(super) fn work_out(
        contents: &'a Contents,
        uploads: &'a [SourceUpload],
        sample: &BTreeSet<DocumentName>,
        allow_shrink: bool,
    ) -> Result<Self, PublishError> {
        let mut after: BTreeMap<(&str, &str), &'a Document> =
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
            // The built-in sample is nobody's, so its documents do not count.
            let given = |(source, key): &&(&str, &str)| {
                sample.is_empty() || !sample.contains(&((*source).to_owned(), (*key).to_owned()))
            };
            let lost = gone.iter().filter(given).count();
            let present = replaced.iter().filter(given).count();
            if lost * SHRINK_PARTS > present && !allow_shrink {
                return Err(PublishError::Shrinks {
                    source_token: upload.source,
                    removed: lost,
                    present,
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
        Ok(Self { after: after.into_values().collect(), put, removed })
    }
}

fn name(document: &Document) -> (&str, &str) {
    (&document.source, &document.key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(key: &str, body: &str) -> Document {
        Document { source: "cask_catalog".into(), key: key.into(), body: body.to_owned().into() }
    }

    fn upload(documents: Vec<Document>, replaces: Option<&'static str>) -> SourceUpload {
        SourceUpload { source: "cask_catalog", documents, replaces, fetched: None }
    }

    fn contents() -> Contents {
        let keys = ["a", "b", "c", "d", "e", "f"];
        let mut documents: Vec<Document> = keys.iter().map(|key| document(key, "1")).collect();
        documents.push(Document { source: "recipe_index".into(), ..document("a", "other") });
        Contents { documents, ..Contents::default() }
    }

    #[test]
    fn only_rows_that_differ_are_written() {
        let new = ["a", "b", "c", "d", "e", "f"]
            .map(|key| document(key, if key == "c" { "2" } else { "1" }));
        let (contents, uploads) = (contents(), [upload(new.to_vec(), Some(""))]);
        let rows = DocumentRows::work_out(&contents, &uploads, &BTreeSet::new(), false).unwrap();
        assert_eq!(rows.put, [document("c", "2")]);
        assert_eq!(rows.removed, []);
        assert_eq!(rows.after.len(), 7, "the other source's documents stay");
    }

    #[test]
    fn what_a_new_file_lacks_goes_unless_it_is_too_much() {
        let contents = contents();
        let five =
            [upload(["a", "b", "c", "d", "e"].map(|key| document(key, "1")).to_vec(), Some(""))];
        let rows = DocumentRows::work_out(&contents, &five, &BTreeSet::new(), false).unwrap();
        assert_eq!(rows.removed, [("cask_catalog".to_owned(), "f".to_owned())]);
        let two = [upload(vec![document("a", "1"), document("b", "1")], Some(""))];
        let refused = DocumentRows::work_out(&contents, &two, &BTreeSet::new(), false);
        assert!(matches!(refused, Err(PublishError::Shrinks { removed: 4, present: 6, .. })));
        assert!(DocumentRows::work_out(&contents, &two, &BTreeSet::new(), true).is_ok());
    }

    #[test]
    fn what_only_adds_removes_nothing() {
        let (contents, uploads) = (contents(), [upload(vec![document("x", "1")], None)]);
        let rows = DocumentRows::work_out(&contents, &uploads, &BTreeSet::new(), false).unwrap();
        assert_eq!((rows.put.len(), rows.removed.len(), rows.after.len()), (1, 0, 8));
    }
}
