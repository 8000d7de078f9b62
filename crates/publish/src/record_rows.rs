//! The rows that a change to the manual records writes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use appstitch_stitching::Record;
use appstitch_store::{Contents, StoredRecord};

use crate::{
    change::{Keep, RecordsChange},
    publish_error::{PublishError, SHRINK_PARTS},
};

/// The rows of the record table after a change, and which of them it writes.
pub(crate) struct RecordRows {
    /// In slug order.
    pub(crate) after: Vec<StoredRecord>,
    /// Whether a record was added, changed or removed.
    pub(crate) changed: bool,
    pub(crate) put: Vec<StoredRecord>,
    pub(crate) removed: Vec<String>,
}

impl RecordRows {
    pub(crate) fn work_out(
        contents: &Contents,
        change: &RecordsChange,
    ) -> Result<Self, PublishError> {
        let before: BTreeMap<&str, &StoredRecord> =
            contents.records.iter().map(|record| (record.slug.as_str(), record)).collect();
        let mut put = Vec::new();
        let mut removed: Vec<&str> = Vec::new();
        match change {
            RecordsChange::Put(record) => {
                reject_twin(&before, record)?;
                removed.extend(twins(&before, record).filter(|twin| twin.is_sample).map(slug_of));
                put.push(stored(record)?);
            }
            RecordsChange::PutSample(record) => {
                put.push(StoredRecord { is_sample: true, ..stored(record)? });
            }
            RecordsChange::Remove(slug) => match before.get_key_value(slug.as_str()) {
                Some((slug, _)) => removed.push(slug),
                None => return Err(PublishError::UnknownRecord(slug.clone())),
            },
            RecordsChange::Replace { records, keep, allow_shrink } => {
                put = records.iter().map(stored).collect::<Result<_, _>>()?;
                let mut staying: BTreeSet<&str> =
                    put.iter().map(|record| record.slug.as_str()).collect();
                match keep {
                    // A rejected line cannot be for a record of the sample.
                    Keep::Everything => staying.extend(
                        before
                            .iter()
                            .filter(|(_, record)| !record.is_sample)
                            .map(|(slug, _)| *slug),
                    ),
                    Keep::Slugs(slugs) => staying.extend(slugs.iter().map(String::as_str)),
                }
                // A record that would stay makes way for a new one whose slug differs in case.
                let new: HashMap<String, &str> = records
                    .iter()
                    .map(|record| (record.app.slug.folded(), record.app.slug.as_str()))
                    .collect();
                let is_twin = |slug: &str| {
                    new.get(&slug.to_ascii_lowercase()).is_some_and(|other| *other != slug)
                };
                removed = before
                    .keys()
                    .filter(|slug| !staying.contains(**slug) || is_twin(slug))
                    .copied()
                    .collect();
                if !allow_shrink {
                    reject_to_shrink(&before, &removed)?;
                }
            }
        }
        put.retain(|record| before.get(record.slug.as_str()).is_none_or(|old| *old != record));
        let body = |slug: &str| before.get(slug).map(|record| &record.body);
        let changed = !removed.is_empty()
            || put.iter().any(|record| body(&record.slug) != Some(&record.body));
        let mut after = before.clone();
        for slug in &removed {
            after.remove(slug);
        }
        after.extend(put.iter().map(|record| (record.slug.as_str(), record)));
        let after = after.into_values().cloned().collect();
        let removed = removed.into_iter().map(str::to_owned).collect();
        Ok(Self { after, changed, put, removed })
    }
}

fn stored(record: &Record) -> Result<StoredRecord, PublishError> {
    Ok(StoredRecord {
        slug: record.app.slug.to_string(),
        body: serde_json::to_string(record)?,
        is_sample: false,
    })
}

/// Rejects a record whose slug differs from a stored one only in case. The sample makes way.
fn reject_twin(
    before: &BTreeMap<&str, &StoredRecord>,
    record: &Record,
) -> Result<(), PublishError> {
    let given = record.app.slug.as_str();
    match twins(before, record).find(|twin| !twin.is_sample) {
        Some(twin) if !before.contains_key(given) => {
            Err(PublishError::CaseTwin { given: given.to_owned(), stored: twin.slug.clone() })
        }
        _ => Ok(()),
    }
}

/// The stored records whose slug differs only in case.
fn twins<'a>(
    before: &BTreeMap<&str, &'a StoredRecord>,
    record: &Record,
) -> impl Iterator<Item = &'a StoredRecord> {
    let slug = record.app.slug.as_str();
    before
        .values()
        .copied()
        .filter(move |stored| stored.slug != slug && stored.slug.eq_ignore_ascii_case(slug))
}

fn slug_of(stored: &StoredRecord) -> &str {
    &stored.slug
}

/// Rejects an upload that removes more than a fifth of the manual records. Records of the built-in
/// sample do not count.
fn reject_to_shrink(
    before: &BTreeMap<&str, &StoredRecord>,
    removed: &[&str],
) -> Result<(), PublishError> {
    let counts = |slug: &&&str| before.get(**slug).is_some_and(|record| !record.is_sample);
    let present = before.keys().filter(counts).count();
    let removed = removed.iter().filter(counts).count();
    if removed * SHRINK_PARTS > present {
        return Err(PublishError::Shrinks { source_token: "records", removed, present });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Batch;

    fn record(slug: &str) -> Record {
        let json =
            format!(r#"{{"app":{{"slug":"{slug}","name":"{slug}","sources":[]}},"sources":null}}"#);
        let mut budget = appstitch_budget::Budget::default();
        Batch::read_one(json.as_bytes(), &mut budget).unwrap().records.remove(0)
    }

    /// A store with one record of the sample and some manual ones.
    fn contents(manual: &[&str]) -> Contents {
        let sample = StoredRecord { is_sample: true, ..stored(&record("a-sample")).unwrap() };
        let manual = manual.iter().map(|slug| stored(&record(slug)).unwrap());
        let records = std::iter::once(sample).chain(manual).collect();
        Contents { records, ..Contents::default() }
    }

    fn replace(slugs: &[&str], keep: Keep) -> RecordsChange {
        let records = slugs.iter().map(|slug| record(slug)).collect();
        RecordsChange::Replace { records, keep, allow_shrink: false }
    }

    #[test]
    fn the_sample_makes_way_and_never_counts() {
        let contents = contents(&[]);
        for keep in [Keep::Slugs(Vec::new()), Keep::Everything] {
            let rows = RecordRows::work_out(&contents, &replace(&["mine"], keep)).unwrap();
            assert_eq!(rows.removed, ["a-sample"]);
            assert!(rows.changed && rows.after.len() == 1);
        }
    }

    #[test]
    fn manual_records_count() {
        let contents = contents(&["b", "c"]);
        let refused = RecordRows::work_out(&contents, &replace(&["b"], Keep::Slugs(Vec::new())));
        assert!(matches!(refused, Err(PublishError::Shrinks { removed: 1, present: 2, .. })));
    }

    #[test]
    fn the_sample_makes_way_for_a_slug_that_differs_in_case() {
        let change = RecordsChange::Put(Box::new(record("A-Sample")));
        let rows = RecordRows::work_out(&contents(&[]), &change).unwrap();
        assert_eq!((rows.put.len(), rows.removed), (1, vec!["a-sample".to_owned()]));
    }

    #[test]
    fn a_record_of_the_sample_that_somebody_uploads_is_theirs() {
        let contents = contents(&[]);
        let change = RecordsChange::Put(Box::new(record("a-sample")));
        let rows = RecordRows::work_out(&contents, &change).unwrap();
        assert_eq!(rows.put.len(), 1, "the sample mark is removed");
        assert!(!rows.after[0].is_sample && !rows.changed, "the served data does not change");
    }

    #[test]
    fn a_slug_in_another_case_is_rejected_alone_and_replaced_in_a_batch() {
        let contents = contents(&["Mine"]);
        let change = RecordsChange::Put(Box::new(record("mine")));
        let refused = RecordRows::work_out(&contents, &change);
        assert!(
            matches!(refused, Err(PublishError::CaseTwin { ref stored, .. }) if stored == "Mine")
        );
        let records = vec![record("mine")];
        let change = RecordsChange::Replace { records, keep: Keep::Everything, allow_shrink: true };
        let rows = RecordRows::work_out(&contents, &change).unwrap();
        assert_eq!(rows.removed, ["Mine", "a-sample"]);
        assert_eq!(rows.after.len(), 1);
    }
}
