//! The built-in sample catalog, for a first look without any upstream.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock},
};

use appstitch_store::StoredRecord;

use crate::publish::{Batch, PublishError, Publisher};

const SAMPLE: &str = include_str!("../sample/records.ndjson");

/// Publishes the sample where nothing was ever published; returns whether it did.
pub async fn load_sample(publisher: &Arc<Publisher>) -> Result<bool, PublishError> {
    if publisher.current().revision().is_some() {
        return Ok(false);
    }
    let change = Batch::read(SAMPLE.as_bytes()).replacement(false);
    publisher.publish(change).await?;
    Ok(true)
}

/// Whether a stored record is the sample's own, unchanged.
pub(crate) fn holds(record: &StoredRecord) -> bool {
    static RECORDS: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
        let records = Batch::read(SAMPLE.as_bytes()).records.into_iter();
        let stored = records.filter_map(|record| {
            Some((record.app.slug.to_string(), serde_json::to_string(&record).ok()?))
        });
        stored.collect()
    });
    RECORDS.get(&record.slug).is_some_and(|body| *body == record.body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_record_passes_the_door() {
        let batch = Batch::read(SAMPLE.as_bytes());
        assert_eq!(batch.problems, []);
        assert!(batch.records.len() >= 20, "{} records", batch.records.len());
    }
}
