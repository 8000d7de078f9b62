//! Working a change out in memory: what the catalog becomes and which rows that writes.

use std::collections::BTreeSet;

use appstitch_store::{Change, Contents, Document, StoredRecord};
use jiff::Timestamp;

use super::{
    CatalogChange, PublishError, RecordsChange, SourceUpload, assemble::assemble,
    document_rows::DocumentRows, record_rows::RecordRows,
};
use crate::{
    sample::{self, DocumentName},
    snapshot::{Difference, Draft, Snapshot},
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
        let (draft, written) = match change {
            CatalogChange::Records(change) => {
                let rows = RecordRows::work_out(contents, change)?;
                let sample = match change {
                    RecordsChange::Replace { .. } => sample::documents_in(&contents.documents),
                    RecordsChange::Put(_) | RecordsChange::Remove(_) => BTreeSet::new(),
                };
                let documents = without(&contents.documents, &sample);
                let change = Change {
                    put_records: rows.put,
                    removed_records: rows.removed,
                    removed_documents: sample.into_iter().collect(),
                    ..Change::default()
                };
                (assemble(&rows.after, &documents)?, change)
            }
            CatalogChange::Sources { uploads, allow_shrink } => {
                // Real files are here: the sample has done its work, and must not hide them.
                let real = uploads.iter().any(SourceUpload::is_real_file);
                let sample =
                    if real { sample::documents_in(&contents.documents) } else { BTreeSet::new() };
                let mut rows = DocumentRows::work_out(contents, uploads, &sample, *allow_shrink)?;
                let kept = |name: &DocumentName| {
                    uploads.iter().any(|upload| {
                        upload.documents.iter().any(|d| (&d.source, &d.key) == (&name.0, &name.1))
                    })
                };
                let leaving: BTreeSet<DocumentName> =
                    sample.into_iter().filter(|name| !kept(name)).collect();
                rows.after = without(&rows.after, &leaving);
                rows.removed.extend(leaving);
                rows.removed.sort();
                rows.removed.dedup();
                let mut change = Change {
                    put_fetched: uploads
                        .iter()
                        .filter_map(|upload| upload.fetched.clone())
                        .collect(),
                    ..Change::default()
                };
                let (own, given): (Vec<StoredRecord>, Vec<StoredRecord>) = contents
                    .records
                    .iter()
                    .cloned()
                    .partition(|record| real && sample::holds_record(record));
                change.removed_records = own.into_iter().map(|record| record.slug).collect();
                let records = given;
                change.put_documents = rows.put;
                change.removed_documents = rows.removed;
                (assemble(&records, &rows.after)?, change)
            }
        };
        let difference = Difference::between(current, &draft);
        let unavoidable = unavoidable_change(contents, &draft);
        let change = Change {
            base_edition: unavoidable.base_edition,
            added_apps: unavoidable.added_apps,
            removed_apps: unavoidable.removed_apps,
            revision: unavoidable.revision,
            ..written
        };
        Ok(Self { draft, change, difference })
    }

    /// What this version of the program makes of a store that another one may have written.
    pub(super) fn for_upgrade(contents: &Contents) -> Result<Self, PublishError> {
        let draft = assemble(&contents.records, &contents.documents)?;
        let change = unavoidable_change(contents, &draft);
        Ok(Self { draft, change, difference: Difference::default() })
    }
}

/// The documents but for those with these names.
fn without(documents: &[Document], names: &BTreeSet<DocumentName>) -> Vec<Document> {
    let named = |document: &&Document| {
        !names.is_empty() && names.contains(&(document.source.clone(), document.key.clone()))
    };
    documents.iter().filter(|document| !named(document)).cloned().collect()
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
