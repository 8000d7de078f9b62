//! Working a change out in memory: what the catalog becomes and which rows that writes.

use std::collections::BTreeSet;

use appstitch_store::{Change, Contents, Document, ServedSizes, StoredRecord};
use jiff::Timestamp;

use super::{
    CatalogChange, PublishError, RecordsChange, SourceUpload,
    assemble::{assemble, assemble_all},
    document_rows::DocumentRows,
    record_rows::RecordRows,
};
use crate::{
    sample::{self, DocumentName},
    snapshot::{Difference, Draft, RULES, Snapshot},
};

/// A change ready to be committed.
pub(super) struct Plan {
    pub(super) draft: Draft,
    pub(super) change: Change,
    pub(super) difference: Difference,
}

impl Plan {
    /// What a change makes of the store.
    pub(super) fn work_out(
        contents: &Contents,
        change: &CatalogChange,
        current: &Snapshot,
    ) -> Result<Self, PublishError> {
        // Most changes are small.
        let expected = current.served_sizes();
        let (draft, written) = match change {
            CatalogChange::Records(change) => change_records(contents, change, expected)?,
            CatalogChange::Sources { uploads, allow_shrink } => {
                change_sources(contents, uploads, *allow_shrink, expected)?
            }
        };
        let difference = Difference::between(current, &draft);
        let unavoidable = unavoidable_change(contents, &draft);
        let change = Change {
            base_edition: unavoidable.base_edition,
            added_apps: unavoidable.added_apps,
            removed_apps: unavoidable.removed_apps,
            served: unavoidable.revision.is_some().then(|| {
                let kept = contents.served_by.as_ref().is_some_and(|made_by| {
                    made_by.rules == RULES && made_by.content_hash == current.content_hash()
                });
                draft.served_change(kept.then_some(current))
            }),
            revision: unavoidable.revision,
            ..written
        };
        Ok(Self { draft, change, difference })
    }

    /// What this version of the program makes of a store that another one has written.
    pub(super) fn for_upgrade(contents: &Contents) -> Result<Self, PublishError> {
        let draft = assemble_all(contents)?;
        let mut change = unavoidable_change(contents, &draft);
        let is_published = contents.revision.is_some() || change.revision.is_some();
        change.served = is_published.then(|| draft.served_change(None));
        Ok(Self { draft, change, difference: Difference::default() })
    }
}

/// The catalog and the rows after a change to the hand-given records. New ones in place of all
/// the others are real data: the sample makes way for them.
fn change_records(
    contents: &Contents,
    change: &RecordsChange,
    expected: ServedSizes,
) -> Result<(Draft, Change), PublishError> {
    let rows = RecordRows::work_out(contents, change)?;
    let sample = match change {
        RecordsChange::Replace { .. } => sample::documents_in(&contents.documents),
        RecordsChange::Put(_) | RecordsChange::Remove(_) => BTreeSet::new(),
    };
    let documents = without(contents.documents.iter(), &sample);
    let draft = assemble(&rows.after, documents, &contents.insertions, expected)?;
    let change = Change {
        put_records: rows.put,
        removed_records: rows.removed,
        removed_documents: sample.into_iter().collect(),
        ..Change::default()
    };
    Ok((draft, change))
}

/// The catalog and the rows after a change to what the upstreams said. Where real files come in,
/// the sample has done its work, and must not hide them.
fn change_sources(
    contents: &Contents,
    uploads: &[SourceUpload],
    allow_shrink: bool,
    expected: ServedSizes,
) -> Result<(Draft, Change), PublishError> {
    let real = uploads.iter().any(SourceUpload::is_real_file);
    let sample = if real { sample::documents_in(&contents.documents) } else { BTreeSet::new() };
    let rows = DocumentRows::work_out(contents, uploads, &sample, allow_shrink)?;
    let uploaded = |name: &DocumentName| {
        let mut documents = uploads.iter().flat_map(|upload| &upload.documents);
        documents.any(|document| (&document.source, &document.key) == (&name.0, &name.1))
    };
    let leaving: BTreeSet<DocumentName> =
        sample.into_iter().filter(|name| !uploaded(name)).collect();
    let (own, given): (Vec<StoredRecord>, Vec<StoredRecord>) =
        contents.records.iter().cloned().partition(|record| real && sample::holds_record(record));
    let documents = without(rows.after.into_iter(), &leaving);
    let draft = assemble(&given, documents, &contents.insertions, expected)?;
    let removed: BTreeSet<DocumentName> = rows.removed.into_iter().chain(leaving).collect();
    let change = Change {
        put_documents: rows.put,
        removed_documents: removed.into_iter().collect(),
        removed_records: own.into_iter().map(|record| record.slug).collect(),
        put_fetched: uploads.iter().filter_map(|upload| upload.fetched.clone()).collect(),
        ..Change::default()
    };
    Ok((draft, change))
}

/// The documents but for those with these names.
fn without<'a>(
    documents: impl Iterator<Item = &'a Document>,
    names: &BTreeSet<DocumentName>,
) -> impl Iterator<Item = &'a Document> {
    let named = |document: &&Document| {
        !names.is_empty() && names.contains(&(document.source.clone(), document.key.clone()))
    };
    documents.filter(move |document| !named(document))
}

/// The rows that follow from what is served: insertion numbers, and a revision if it is new.
fn unavoidable_change(contents: &Contents, draft: &Draft) -> Change {
    let served = contents.revision.as_ref().map(|revision| revision.content_hash.as_str());
    // A store that never published and still has nothing to show stays unpublished.
    let nothing_yet = served.is_none() && draft.counts.total_apps == 0;
    let changed = served != Some(draft.content_hash.as_str()) && !nothing_yet;
    let slugs: BTreeSet<&str> = draft.slugs().collect();
    let known = |slug: &&&str| contents.insertions.contains_key(**slug);
    let mut removed_apps: Vec<String> =
        contents.insertions.keys().filter(|slug| !slugs.contains(slug.as_str())).cloned().collect();
    removed_apps.sort();
    Change {
        base_edition: contents.edition,
        added_apps: slugs
            .iter()
            .filter(|slug| !known(slug))
            .map(|slug| (*slug).to_owned())
            .collect(),
        removed_apps,
        revision: changed.then(|| draft.new_revision(Timestamp::now())),
        ..Change::default()
    }
}
