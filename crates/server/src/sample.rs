//! The built-in sample catalog, for a first look without any upstream: small files of ours in
//! the upstreams' formats, going through the same readers as the real ones.
//!
//! The sample is nobody's data. It makes way for the first real upload, and never counts as
//! something that could be lost.

mod labels;

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, LazyLock},
};

use appstitch_sources::Upstream;
use appstitch_store::{Document, StoredRecord};
use bytes::Bytes;

use crate::publish::{
    Batch, CatalogChange, PublishError, Publisher, RecordsChange, SourceUpload, Tally,
};

/// A document's source and key.
pub(crate) type DocumentName = (String, String);

/// The files of each upstream but the labels, which come as an archive.
const FILES: [(Upstream, &str); 5] = [
    (Upstream::CaskCatalog, include_str!("../sample/cask.json")),
    (Upstream::RecipeIndex, include_str!("../sample/index.json")),
    (Upstream::MdmInstaller, include_str!("../sample/titles.html")),
    (Upstream::MdmInstaller, include_str!("../sample/titles.json")),
    (Upstream::StoreListing, include_str!("../sample/lookup.json")),
];

/// A leftover: an app that is known, with nothing behind it.
const RECORDS: &str = include_str!("../sample/records.ndjson");

/// Publishes the sample where nothing was ever published; returns whether it did.
pub async fn load_sample(publisher: &Arc<Publisher>) -> Result<bool, PublishError> {
    if publisher.current().revision().is_some() {
        return Ok(false);
    }
    publisher.publish(CatalogChange::Sources { uploads: uploads().0, allow_shrink: true }).await?;
    for record in Batch::read(RECORDS.as_bytes()).records {
        publisher.publish(CatalogChange::Records(RecordsChange::Put(Box::new(record)))).await?;
    }
    Ok(true)
}

/// The sample's files, read.
fn uploads() -> (Vec<SourceUpload>, Tally) {
    let mut tally = Tally::default();
    let archive = (Upstream::LabelTool, labels::archive());
    let files = FILES.into_iter().map(|(upstream, text)| (upstream, text.as_bytes().to_vec()));
    let uploads = std::iter::once(archive)
        .chain(files)
        .filter_map(|(upstream, bytes)| {
            match SourceUpload::read(upstream, &bytes[..], &mut tally) {
                Ok(upload) => Some(upload),
                Err(why) => {
                    tracing::error!(%why, source = upstream.token(), "the sample cannot be read");
                    None
                }
            }
        })
        .collect();
    (uploads, tally)
}

/// Whether a stored record is the sample's own, unchanged.
pub(crate) fn holds_record(record: &StoredRecord) -> bool {
    static OWN: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
        let records = Batch::read(RECORDS.as_bytes()).records.into_iter();
        let stored = records.filter_map(|record| {
            Some((record.app.slug.to_string(), serde_json::to_string(&record).ok()?))
        });
        stored.collect()
    });
    OWN.get(&record.slug).is_some_and(|body| *body == record.body)
}

/// The names of the sample's documents in a store, by source and key, as long as it is there
/// whole. Once real files are in, single documents may look like the sample's; they are not.
pub(crate) fn documents_in(documents: &[Document]) -> BTreeSet<DocumentName> {
    let own = own_documents();
    let names: BTreeSet<DocumentName> = documents
        .iter()
        .map(|document| (document.source.clone(), document.key.clone()))
        .zip(documents)
        .filter(|(name, document)| own.get(name).is_some_and(|body| *body == document.body))
        .map(|(name, _)| name)
        .collect();
    if names.len() == own.len() { names } else { BTreeSet::new() }
}

/// Whether documents are all the sample's.
pub(crate) fn is_all_of(documents: &[Document]) -> bool {
    let own = own_documents();
    documents.iter().all(|document| {
        let name = (document.source.clone(), document.key.clone());
        own.get(&name).is_some_and(|body| *body == document.body)
    })
}

fn own_documents() -> &'static HashMap<DocumentName, Bytes> {
    static OWN: LazyLock<HashMap<DocumentName, Bytes>> = LazyLock::new(|| {
        let documents = uploads().0.into_iter().flat_map(|upload| upload.documents);
        documents.map(|document| ((document.source, document.key), document.body)).collect()
    });
    &OWN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_and_entry_of_the_sample_is_taken() {
        let (uploads, tally) = uploads();
        assert_eq!(uploads.len(), FILES.len() + 1);
        assert_eq!(tally.problems, []);
        let documents: Vec<Document> =
            uploads.into_iter().flat_map(|upload| upload.documents).collect();
        assert_eq!(documents_in(&documents).len(), documents.len());
        assert!(documents_in(&documents[1..]).is_empty(), "a part of it is not the sample");
        assert_eq!(Batch::read(RECORDS.as_bytes()).problems, []);
    }
}
