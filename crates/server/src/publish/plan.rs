//! Working a change out in memory: what the catalog becomes and which rows that writes.

use std::collections::BTreeSet;

use appstitch_store::{Change, Contents, StoredRecord};
use jiff::Timestamp;

use super::{
    CatalogChange, PublishError, assemble::assemble, document_rows::DocumentRows,
    record_rows::RecordRows,
};
use crate::{
    sample,
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
                let draft = assemble(&rows.after, &contents.documents)?;
                let put_records = rows.put;
                let removed_records = rows.removed;
                (draft, Change { put_records, removed_records, ..Change::default() })
            }
            CatalogChange::Sources { uploads, allow_shrink } => {
                let rows = DocumentRows::work_out(contents, uploads, *allow_shrink)?;
                // Real data is here: the sample has done its work, and must not hide it.
                let (sample, records): (Vec<StoredRecord>, Vec<StoredRecord>) =
                    contents.records.iter().cloned().partition(sample::holds);
                let draft = assemble(&records, &rows.after)?;
                let change = Change {
                    put_documents: rows.put,
                    removed_documents: rows.removed,
                    put_fetched: uploads
                        .iter()
                        .filter_map(|upload| upload.fetched.clone())
                        .collect(),
                    removed_records: sample.into_iter().map(|record| record.slug).collect(),
                    ..Change::default()
                };
                (draft, change)
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
