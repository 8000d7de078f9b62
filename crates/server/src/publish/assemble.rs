//! Building the catalog from what a store holds.

use std::{cmp::Ordering, convert::Infallible};

use appstitch_catalog::{Documents, Provenance, Record, Stitched, stitch};
use appstitch_sources::{self as sources, Upstream};
use appstitch_store::{Contents, Document, StoredRecord};

use super::PublishError;
use crate::snapshot::{Draft, SnapshotBuilder};

/// Builds the catalog from everything a store holds.
pub(super) fn assemble(
    records: &[StoredRecord],
    documents: &[Document],
) -> Result<Draft, PublishError> {
    let mut builder = SnapshotBuilder::new();
    each_served(records, documents, |record, provenance| builder.push(record, provenance))?;
    Ok(builder.finish()?)
}

/// Every record that a store's contents are served as, in slug order.
#[must_use]
pub fn served_records(contents: &Contents) -> Vec<Record> {
    let mut served = Vec::new();
    let collected = each_served(&contents.records, &contents.documents, |record, _| {
        served.push(record.clone());
        Ok::<(), Infallible>(())
    });
    match collected {
        Ok(()) => served,
        Err(never) => match never {},
    }
}

/// Stitches the documents and lays the hand-given records over them: what a person said about
/// an app stands instead of what was stitched. Records come in slug order.
fn each_served<E>(
    records: &[StoredRecord],
    documents: &[Document],
    mut visit: impl FnMut(&Record, &Provenance) -> Result<(), E>,
) -> Result<(), E> {
    let mut stitched = stitch(&decode(documents)).into_iter().peekable();
    for (slug, record) in records.iter().filter_map(read) {
        let comes_before = |stitched: &Stitched| stitched.record.app.slug.as_str() < slug.as_str();
        while let Some(before) = stitched.next_if(comes_before) {
            visit(&before.record, &before.provenance)?;
        }
        stitched.next_if(|other| other.record.app.slug.as_str().cmp(&slug) == Ordering::Equal);
        visit(&record, &Provenance::by_hand(&record))?;
    }
    for rest in stitched {
        visit(&rest.record, &rest.provenance)?;
    }
    Ok(())
}

/// A stored record as it is served. It came in through the same door; a newer rule may judge it
/// differently. Then it stays in the store as it was given, and is served as far as the rule
/// allows.
fn read(stored: &StoredRecord) -> Option<(String, Record)> {
    match Record::admit(stored.body.as_bytes()) {
        Ok(admitted) => Some((admitted.record.app.slug.to_string(), admitted.record)),
        Err(refusal) => {
            tracing::warn!(slug = stored.slug, why = refusal.why, "a stored record is not served");
            None
        }
    }
}

/// What the upstreams' documents say.
pub(super) fn decode(documents: &[Document]) -> Documents {
    let mut decoded = Documents::default();
    for upstream in Upstream::ALL {
        let own: Vec<sources::Document> = documents
            .iter()
            .filter(|document| document.source == upstream.token())
            .map(|document| sources::Document {
                key: document.key.clone(),
                body: document.body.clone(),
            })
            .collect();
        upstream.decode(&own, &mut decoded);
    }
    decoded
}
