//! The built-in sample catalog, for trying the program without an upstream. It consists of small
//! files in the upstreams' formats, which are read like real files.
//!
//! The sample is marked in the store. The first real upload replaces it, and it does not count when
//! checking whether an upload removes too much.

mod labels;

use std::sync::Arc;

use appstitch_budget::Budget;
use appstitch_sources::{MAX_UNPACKED_BYTES, Upstream};

use crate::{
    batch::Batch,
    change::{CatalogChange, RecordsChange},
    origin::SAMPLE,
    publish_error::PublishError,
    publisher::Publisher,
    source_upload::SourceUpload,
    tally::Tally,
};

/// The files of each upstream except the labels, which are an archive.
const FILES: [(Upstream, &str); 5] = [
    (Upstream::CaskCatalog, include_str!("../sample/cask.json")),
    (Upstream::RecipeIndex, include_str!("../sample/index.json")),
    (Upstream::MdmInstaller, include_str!("../sample/titles.html")),
    (Upstream::MdmInstaller, include_str!("../sample/titles.json")),
    (Upstream::StoreListing, include_str!("../sample/lookup.json")),
];

/// A leftover record: an app without source detail.
const RECORDS: &str = include_str!("../sample/records.ndjson");

/// Publishes the sample if nothing has been published yet; returns whether it did.
pub async fn load_sample(publisher: &Arc<Publisher>) -> Result<bool, PublishError> {
    if publisher.current().revision().is_some() {
        return Ok(false);
    }
    // Nothing is published unless all of it can be read.
    let uploads = uploads(&FILES)?.0;
    let records = records(RECORDS, &mut Budget::default())?.records;
    let staying = Vec::new();
    publisher.publish(CatalogChange::Sources { uploads, staying, allow_shrink: true }).await?;
    for record in records {
        let change = RecordsChange::PutSample(Box::new(record));
        publisher.publish(CatalogChange::Records(change)).await?;
    }
    Ok(true)
}

/// The parsed files of the sample.
fn uploads(files: &[(Upstream, &str)]) -> Result<(Vec<SourceUpload>, Tally), PublishError> {
    let mut tally = Tally::default();
    let labels = labels::archive().map_err(|error| unreadable(Upstream::LabelTool, &error))?;
    let archive = std::iter::once((Upstream::LabelTool, &labels[..]));
    let files = files.iter().map(|(upstream, text)| (*upstream, text.as_bytes()));
    let uploads = archive.chain(files).map(|(upstream, bytes)| {
        let (origin, limit) = (SAMPLE.to_owned(), MAX_UNPACKED_BYTES);
        let budget = &mut Budget::default();
        SourceUpload::read(upstream, origin, bytes, limit, &mut tally, budget)
            .map_err(|error| unreadable(upstream, &error))
    });
    let uploads = uploads.collect::<Result<_, _>>()?;
    Ok((uploads, tally))
}

fn records(ndjson: &str, budget: &mut Budget) -> Result<Batch, PublishError> {
    let read = Batch::read(ndjson.as_bytes(), budget);
    read.map_err(|error| PublishError::Sample(format!("records: {error}")))
}

fn unreadable(upstream: Upstream, error: &dyn std::error::Error) -> PublishError {
    PublishError::Sample(format!("{}: {error}", upstream.token()))
}

#[cfg(test)]
mod tests {
    use appstitch_budget::Limits;

    use super::*;

    #[test]
    fn every_file_and_entry_of_the_sample_is_taken() {
        let (uploads, tally) = uploads(&FILES).unwrap();
        assert_eq!(uploads.len(), FILES.len() + 1);
        assert_eq!(tally.problems, []);
        let batch = records(RECORDS, &mut Budget::default()).unwrap();
        assert_eq!(batch.tally.problems, []);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error() {
        let error = uploads(&[(Upstream::CaskCatalog, "no JSON")]).unwrap_err().to_string();
        assert!(error.contains("sample: cask_catalog: "), "{error}");
        let mut budget = Budget::new(Limits { rows: 0, ..Limits::NONE });
        let error = records(RECORDS, &mut budget).unwrap_err().to_string();
        assert!(error.contains("sample: records: "), "{error}");
    }
}
