//! What a change to the hand-given records writes.

use std::collections::{BTreeMap, BTreeSet};

use appstitch_catalog::Record;
use appstitch_store::{Contents, StoredRecord};

use super::{Keep, PublishError, RecordsChange, SHRINK_PARTS};
use crate::sample;

/// The rows of the record table after a change, and which of them it writes.
pub(super) struct RecordRows {
    /// In slug order.
    pub(super) after: Vec<StoredRecord>,
    pub(super) put: Vec<StoredRecord>,
    pub(super) removed: Vec<String>,
}

impl RecordRows {
    pub(super) fn work_out(
        contents: &Contents,
        change: &RecordsChange,
    ) -> Result<Self, PublishError> {
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
    let given =
        |slug: &&&str| before.get(**slug).is_some_and(|record| !sample::holds_record(record));
    let present = before.keys().filter(given).count();
    let removed = removed.iter().filter(given).count();
    if removed * SHRINK_PARTS > present {
        return Err(PublishError::Shrinks { source_token: "records", removed, present });
    }
    Ok(())
}
