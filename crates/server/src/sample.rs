//! The built-in sample catalog, for a first look without any upstream.

use std::sync::Arc;

use crate::{
    publish::{Batch, PublishError, Publisher},
    snapshot::Snapshot,
};

const SAMPLE: &str = include_str!("../sample/records.ndjson");

/// Publishes the sample where nothing was ever published; returns whether it did.
pub async fn load_sample(publisher: &Arc<Publisher>) -> Result<bool, PublishError> {
    if !never_published(&publisher.current()) {
        return Ok(false);
    }
    let change = Batch::read(SAMPLE.as_bytes()).replacement(false);
    publisher.publish(change).await?;
    Ok(true)
}

fn never_published(snapshot: &Snapshot) -> bool {
    snapshot.edition().revision.is_none()
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
