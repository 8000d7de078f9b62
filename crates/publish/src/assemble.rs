//! Building the catalog from what a store holds.

use std::{collections::HashMap, convert::Infallible};

use appstitch_catalog::{Documents, Provenance, Record, stitch};
use appstitch_snapshot::{Draft, FreshEntry, SnapshotBuilder};
use appstitch_sources::{self as sources, Upstream};
use appstitch_store::{Contents, Document, ServedSizes, StoredRecord};

use crate::{
    PublishError,
    origin::{StitchedDocument, stitched},
};

/// Builds the catalog from everything a store holds. Knowing about how large it will be saves
/// memory.
pub(crate) fn assemble<'a>(
    records: &[StoredRecord],
    documents: impl Iterator<Item = StitchedDocument<'a>>,
    insertions: &HashMap<String, u64>,
    expected: ServedSizes,
) -> Result<Draft, PublishError> {
    let mut builder = SnapshotBuilder::with_capacity(expected);
    let decoded = decode(documents);
    each_served(records, &decoded, |record, provenance| {
        builder.push(&FreshEntry::new(record, provenance))
    })?;
    drop(decoded);
    Ok(builder.finish(insertions)?)
}

/// The same, of everything, and whatever its size.
pub(crate) fn assemble_all(contents: &Contents) -> Result<Draft, PublishError> {
    let documents = stitched_documents(&contents.documents);
    assemble(&contents.records, documents, &contents.insertions, ServedSizes::default())
}

/// Every record that a store's contents are served as, in slug order.
#[must_use]
pub fn served_records(contents: &Contents) -> Vec<Record> {
    let mut served = Vec::new();
    let decoded = decode(stitched_documents(&contents.documents));
    let collected = each_served(&contents.records, &decoded, |record, _| {
        served.push(record.clone());
        Ok::<(), Infallible>(())
    });
    match collected {
        Ok(()) => served,
        Err(never) => match never {},
    }
}

/// Stitches the documents and lays the manual records over them: what a person said about
/// an app stands instead of what was stitched. Records come in slug order, one at a time.
fn each_served<E>(
    records: &[StoredRecord],
    documents: &Documents,
    mut visit: impl FnMut(&Record, &Provenance) -> Result<(), E>,
) -> Result<(), E> {
    let mut given = records.iter().filter_map(read).peekable();
    stitch(documents, |stitched| {
        let slug = &stitched.record.app.slug;
        while let Some(record) = given.next_if(|record| record.app.slug < *slug) {
            visit(&record, &Provenance::by_hand(&record))?;
        }
        match given.next_if(|record| record.app.slug == *slug) {
            Some(record) => visit(&record, &Provenance::by_hand(&record)),
            None => visit(&stitched.record, &stitched.provenance),
        }
    })?;
    given.try_for_each(|record| visit(&record, &Provenance::by_hand(&record)))
}

/// A stored record as it is served. It came in through the same door; a newer rule may judge it
/// differently. Then it stays in the store as it was given, and is served as far as the rule
/// allows.
fn read(stored: &StoredRecord) -> Option<Record> {
    match Record::admit(stored.body.as_bytes()) {
        Ok(admitted) => Some(admitted.record),
        Err(refusal) => {
            tracing::warn!(slug = stored.slug, why = refusal.why, "a stored record is not served");
            None
        }
    }
}

/// The stored documents that are stitched.
pub(crate) fn stitched_documents(
    documents: &[Document],
) -> impl Iterator<Item = StitchedDocument<'_>> {
    stitched(documents.iter().map(StitchedDocument::from))
}

/// What the upstreams' documents say.
pub(crate) fn decode<'a>(documents: impl Iterator<Item = StitchedDocument<'a>>) -> Documents {
    let mut by_source: HashMap<&str, Vec<sources::UpstreamEntry>> = HashMap::new();
    for document in documents {
        by_source.entry(document.source).or_default().push(sources::UpstreamEntry {
            key: document.key.to_owned(),
            body: document.body.clone(),
        });
    }
    let mut decoded = Documents::default();
    for upstream in Upstream::ALL {
        if let Some(own) = by_source.remove(upstream.token()) {
            upstream.decode(&own, &mut decoded);
        }
    }
    decoded
}
