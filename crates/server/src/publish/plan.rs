//! Working a change out in memory: what the catalog becomes and which rows that writes.

use std::collections::{BTreeMap, BTreeSet};

use appstitch_catalog::Record;
use appstitch_store::{Change, Contents, StoredRecord};
use jiff::Timestamp;

use super::{Keep, PublishError, RecordsChange};
use crate::{
    sample,
    snapshot::{Difference, Draft, Snapshot, SnapshotBuilder},
};

/// An upload that removes more than one record in this many is taken for a mistake.
const SHRINK_PARTS: usize = 5;

/// A change ready to be committed.
pub(super) struct Plan {
    pub(super) draft: Draft,
    pub(super) change: Change,
    pub(super) difference: Difference,
}

impl Plan {
    /// What a change to the records makes of the store.
    pub(super) fn work_out(
        contents: &Contents,
        change: &RecordsChange,
        current: &Snapshot,
    ) -> Result<Self, PublishError> {
        let rows = Rows::work_out(contents, change)?;
        let draft = assemble(&rows.after)?;
        let difference = Difference::between(current, &draft);
        let change = Change {
            put_records: rows.put,
            removed_records: rows.removed,
            ..unavoidable_change(contents, &draft)
        };
        Ok(Self { draft, change, difference })
    }

    /// What this version of the program makes of a store that another one may have written.
    pub(super) fn for_upgrade(contents: &Contents) -> Result<Self, PublishError> {
        let draft = assemble(&contents.records)?;
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

/// The rows of the record table after a change, and which of them it writes.
struct Rows {
    /// In slug order.
    after: Vec<StoredRecord>,
    put: Vec<StoredRecord>,
    removed: Vec<String>,
}

impl Rows {
    fn work_out(contents: &Contents, change: &RecordsChange) -> Result<Self, PublishError> {
        let before: BTreeMap<&str, &StoredRecord> =
            contents.records.iter().map(|record| (record.slug.as_str(), record)).collect();
        let mut put = Vec::new();
        let mut removed: Vec<&str> = Vec::new();
        match change {
            RecordsChange::Put(record) => put.push(stored(record)?),
            RecordsChange::Remove(slug) => match before.get_key_value(slug.as_str()) {
                Some((slug, _)) => removed.push(slug),
                None => return Err(PublishError::UnknownRecord(slug.clone())),
            },
            RecordsChange::Replace { records, keep, allow_shrink } => {
                put = records.iter().map(stored).collect::<Result<_, _>>()?;
                let mut staying: BTreeSet<&str> =
                    put.iter().map(|record| record.slug.as_str()).collect();
                match keep {
                    Keep::Everything => staying.extend(before.keys()),
                    Keep::Slugs(slugs) => staying.extend(slugs.iter().map(String::as_str)),
                }
                removed = before.keys().filter(|slug| !staying.contains(**slug)).copied().collect();
                if !allow_shrink {
                    refuse_to_shrink(&before, &removed)?;
                }
            }
        }
        put.retain(|record| before.get(record.slug.as_str()).is_none_or(|old| *old != record));
        let mut after = before.clone();
        for slug in &removed {
            after.remove(slug);
        }
        after.extend(put.iter().map(|record| (record.slug.as_str(), record)));
        let after = after.into_values().cloned().collect();
        let removed = removed.into_iter().map(str::to_owned).collect();
        Ok(Self { after, put, removed })
    }
}

fn stored(record: &Record) -> Result<StoredRecord, PublishError> {
    Ok(StoredRecord { slug: record.app.slug.to_string(), body: serde_json::to_string(record)? })
}

/// Stops an upload that loses more than a fifth of what somebody gave. The built-in sample is
/// nobody's, so its records do not count.
fn refuse_to_shrink(
    before: &BTreeMap<&str, &StoredRecord>,
    removed: &[&str],
) -> Result<(), PublishError> {
    let given = |slug: &&&str| before.get(**slug).is_some_and(|record| !sample::holds(record));
    let present = before.keys().filter(given).count();
    let removed = removed.iter().filter(given).count();
    if removed * SHRINK_PARTS > present {
        return Err(PublishError::Shrinks { removed, present });
    }
    Ok(())
}

/// Builds the catalog from stored records, which come in slug order.
pub(super) fn assemble(records: &[StoredRecord]) -> Result<Draft, PublishError> {
    let mut builder = SnapshotBuilder::new();
    for stored in records {
        // It came in through the same door; a newer rule may judge it differently. Then it
        // stays in the store as it was given, and is served as far as the rule allows.
        match Record::admit(stored.body.as_bytes()) {
            Ok(admitted) => builder.push(&admitted.record)?,
            Err(refusal) => {
                tracing::warn!(
                    slug = stored.slug,
                    why = refusal.why,
                    "a stored record is not served"
                );
            }
        }
    }
    Ok(builder.finish()?)
}
