//! Working a change out in memory: what the catalog becomes and which rows that writes.

use std::collections::{BTreeMap, BTreeSet};

use appstitch_catalog::Record;
use appstitch_store::{Change, Contents, StoredRecord};
use jiff::Timestamp;

use super::{PublishError, RecordsChange};
use crate::snapshot::{Difference, Draft, Snapshot, SnapshotBuilder};

/// An upload that removes more than one record in this many is taken for a mistake.
const SHRINK_PARTS: usize = 5;

/// A change ready to be committed.
pub(super) struct Plan {
    pub(super) draft: Draft,
    pub(super) change: Change,
    pub(super) difference: Difference,
}

impl Plan {
    pub(super) fn work_out(
        contents: Contents,
        change: RecordsChange,
        current: &Snapshot,
    ) -> Result<Self, PublishError> {
        let base_edition = contents.edition;
        let rows = Rows::work_out(&contents, change)?;
        let records: Vec<StoredRecord> =
            rows.after.into_iter().map(|(slug, body)| StoredRecord { slug, body }).collect();
        let draft = assemble(&records)?;
        let served = contents.revision.as_ref().map(|revision| revision.content_hash.as_str());
        // A store that never published and still has nothing to show stays unpublished.
        let nothing_yet = served.is_none() && draft.counts.total_apps == 0;
        let changed = served != Some(draft.content_hash.as_str()) && !nothing_yet;
        let difference = Difference::between(current, &draft);
        let change = Change {
            base_edition,
            put_records: rows.put,
            removed_records: rows.removed,
            revision: changed.then(|| draft.new_revision(Timestamp::now())),
            ..Change::default()
        };
        Ok(Self { draft, change, difference })
    }
}

/// The rows of the record table before and after.
struct Rows {
    after: BTreeMap<String, String>,
    put: Vec<StoredRecord>,
    removed: Vec<String>,
}

impl Rows {
    fn work_out(contents: &Contents, change: RecordsChange) -> Result<Self, PublishError> {
        let before: BTreeMap<&str, &str> = contents
            .records
            .iter()
            .map(|record| (record.slug.as_str(), record.body.as_str()))
            .collect();
        let own = |(slug, body): (&&str, &&str)| ((*slug).to_owned(), (*body).to_owned());
        let mut after: BTreeMap<String, String> = before.iter().map(own).collect();
        match change {
            RecordsChange::Put(record) => {
                after.insert(record.app.slug.to_string(), serde_json::to_string(&record)?);
            }
            RecordsChange::Remove(slug) => {
                if after.remove(slug.as_str()).is_none() {
                    return Err(PublishError::UnknownRecord(slug));
                }
            }
            RecordsChange::Replace { records, keep, allow_shrink } => {
                let keep: BTreeSet<String> = keep.into_iter().collect();
                after.retain(|slug, _| keep.contains(slug));
                for record in records {
                    after.insert(record.app.slug.to_string(), serde_json::to_string(&record)?);
                }
                let removed = before.keys().filter(|slug| !after.contains_key(**slug)).count();
                if removed * SHRINK_PARTS > before.len() && !allow_shrink {
                    return Err(PublishError::Shrinks { removed, present: before.len() });
                }
            }
        }
        let differs = |(slug, body): &(&String, &String)| {
            before.get(slug.as_str()).copied() != Some(body.as_str())
        };
        let put = after
            .iter()
            .filter(differs)
            .map(|(slug, body)| StoredRecord { slug: slug.clone(), body: body.clone() })
            .collect();
        let removed = before
            .keys()
            .filter(|slug| !after.contains_key(**slug))
            .map(|slug| (*slug).to_owned())
            .collect();
        Ok(Self { after, put, removed })
    }
}

/// Builds the catalog from stored records, which come in slug order.
pub(super) fn assemble(records: &[StoredRecord]) -> Result<Draft, PublishError> {
    let mut builder = SnapshotBuilder::new();
    for stored in records {
        // It was checked on its way in; a newer rule may refuse it all the same. Then it
        // stays in the store and is not served.
        match serde_json::from_str::<Record>(&stored.body) {
            Ok(record) => builder.push(&record)?,
            Err(error) => {
                tracing::warn!(slug = stored.slug, %error, "a stored record is not served");
            }
        }
    }
    Ok(builder.finish()?)
}
