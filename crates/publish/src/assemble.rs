//! Builds the catalog from the contents of a store.

use std::{collections::HashMap, convert::Infallible};

use appstitch_snapshot::{Draft, FreshEntry, SnapshotBuilder};
use appstitch_sources::{self as sources, Upstream};
use appstitch_stitching::{Documents, LeftOut, Record, manual_provenance, stitch};
use appstitch_store::{Contents, Document, FailPoint, NextVersion, ServedSizes, StoredRecord};
use appstitch_types::{Provenance, Slug};

use crate::{
    origin::{StitchedDocument, stitched},
    publish_error::PublishError,
};

/// A catalog, and what was left out of it because of the bounds.
pub(crate) struct Assembled {
    pub(crate) draft: Draft,
    pub(crate) left_out: LeftOut,
}

/// Builds the catalog from records and documents. The expected sizes only save memory; they may be
/// wrong.
pub(crate) fn assemble<'a>(
    records: &[StoredRecord],
    documents: impl Iterator<Item = StitchedDocument<'a>>,
    insertions: &HashMap<String, u64>,
    expected: ServedSizes,
) -> Result<Assembled, PublishError> {
    FailPoint::Stitch.reach()?;
    let mut builder = SnapshotBuilder::with_capacity(expected);
    let decoded = decode(documents);
    let left_out = each_served(records, &decoded, |record, provenance, variant_of| {
        let next = next_version(record);
        let record = next.as_ref().unwrap_or(record);
        let label = record.sources.as_ref().and_then(|sources| sources.label_tool.as_ref());
        let seen = label.and_then(|label| decoded.tracked.get(&label.label_name));
        builder.push(&FreshEntry::new(record, provenance, variant_of).with_seen(seen))
    })?;
    drop(decoded);
    Ok(Assembled { draft: builder.finish(insertions)?, left_out })
}

/// What a test pretends that the next version makes of a record.
fn next_version(record: &Record) -> Option<Record> {
    NextVersion::Bytes.is_pretended().then(|| {
        let mut next = record.clone();
        next.app.name.push_str(" (next)");
        next
    })
}

/// Builds the catalog from the whole contents of a store.
pub(crate) fn assemble_all(contents: &Contents) -> Result<Draft, PublishError> {
    let documents = stitched_documents(&contents.documents);
    let sizes = ServedSizes::default();
    Ok(assemble(&contents.records, documents, &contents.insertions, sizes)?.draft)
}

/// Every served record of a store's contents, in slug order.
#[must_use]
pub fn served_records(contents: &Contents) -> Vec<Record> {
    let mut served = Vec::new();
    let decoded = decode(stitched_documents(&contents.documents));
    let collected = each_served(&contents.records, &decoded, |record, _, _| {
        served.push(record.clone());
        Ok::<(), Infallible>(())
    });
    match collected {
        Ok(_) => served,
        Err(never) => match never {},
    }
}

/// Stitches the documents and merges in the manual records. A manual record replaces the stitched
/// record with the same slug, in any case, because a file system or a cache could mix up the two.
/// Records are visited in slug order, one at a time.
fn each_served<E>(
    records: &[StoredRecord],
    documents: &Documents,
    mut visit: impl FnMut(&Record, &Provenance, Option<&Slug>) -> Result<(), E>,
) -> Result<LeftOut, E> {
    let mut manual = HashMap::new();
    for stored in records {
        // Stores of older versions can have two. The first one is served.
        manual.entry(stored.slug.to_ascii_lowercase()).or_insert(stored);
    }
    let is_first = |stored: &&StoredRecord| {
        let first = manual.get(&stored.slug.to_ascii_lowercase());
        first.is_none_or(|first| first.slug == stored.slug)
    };
    let is_replaced = |slug: &Slug| {
        let twin = manual.get(&slug.folded()).filter(|twin| twin.slug != slug.as_str());
        twin.is_some_and(|twin| read(twin).is_some())
    };
    let mut given = records.iter().filter(is_first).filter_map(read).peekable();
    let left_out = stitch(documents, |stitched| {
        let slug = &stitched.record.app.slug;
        while let Some(record) = given.next_if(|record| record.app.slug < *slug) {
            visit(&record, &manual_provenance(&record), None)?;
        }
        match given.next_if(|record| record.app.slug == *slug) {
            // What is uploaded says nothing about the codes of the patch catalog.
            Some(record) => {
                let title_codes = stitched.provenance.title_codes;
                visit(&record, &Provenance { title_codes, ..manual_provenance(&record) }, None)
            }
            None if is_replaced(slug) => Ok(()),
            None => visit(&stitched.record, &stitched.provenance, stitched.variant_of.as_ref()),
        }
    })?;
    given.try_for_each(|record| visit(&record, &manual_provenance(&record), None))?;
    Ok(left_out)
}

/// A stored record as it is served. It was validated when it was uploaded, but the rules may have
/// changed since. In that case the store keeps the record unchanged, and it is served only as far
/// as the current rules allow.
fn read(stored: &StoredRecord) -> Option<Record> {
    match Record::admit(stored.body.as_bytes()) {
        Ok(admitted) => Some(admitted.record),
        Err(refusal) => {
            tracing::warn!(slug = stored.slug, why = refusal.why, "skipping invalid stored record");
            None
        }
    }
}

pub(crate) fn stitched_documents(
    documents: &[Document],
) -> impl Iterator<Item = StitchedDocument<'_>> {
    stitched(documents.iter().map(StitchedDocument::from))
}

pub(crate) fn decode<'a>(documents: impl Iterator<Item = StitchedDocument<'a>>) -> Documents {
    let mut by_source: HashMap<&str, Vec<sources::UpstreamEntry>> = HashMap::new();
    for document in documents {
        by_source.entry(document.source).or_default().push(sources::UpstreamEntry {
            key: document.key.to_owned(),
            body: document.body.clone(),
        });
    }
    Upstream::decode_all(|upstream| by_source.remove(upstream.token()).unwrap_or_default())
}
