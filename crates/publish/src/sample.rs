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
    Batch, CatalogChange, PublishError, Publisher, RecordsChange, SourceUpload, Tally,
    origin::SAMPLE,
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
    let (uploads, staying) = (uploads().0, Vec::new());
    publisher.publish(CatalogChange::Sources { uploads, staying, allow_shrink: true }).await?;
    let batch = Batch::read(RECORDS.as_bytes(), &mut Budget::default());
    for record in batch.map(|batch| batch.records).unwrap_or_default() {
        let change = RecordsChange::PutSample(Box::new(record));
        publisher.publish(CatalogChange::Records(change)).await?;
    }
    Ok(true)
}

/// The parsed files of the sample.
fn uploads() -> (Vec<SourceUpload>, Tally) {
    let mut tally = Tally::default();
    let archive = (Upstream::LabelTool, labels::archive());
    let files = FILES.into_iter().map(|(upstream, text)| (upstream, text.as_bytes().to_vec()));
    let uploads = std::iter::once(archive)
        .chain(files)
        .filter_map(|(upstream, bytes)| {
            let (origin, limit) = (SAMPLE.to_owned(), MAX_UNPACKED_BYTES);
            let budget = &mut Budget::default();
            match SourceUpload::read(upstream, origin, &bytes, limit, &mut tally, budget) {
                Ok(upload) => Some(upload),
                Err(why) => {
                    tracing::error!(%why, source = upstream.token(), "cannot read the sample");
                    None
                }
            }
        })
        .collect();
    (uploads, tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_and_entry_of_the_sample_is_taken() {
        let (uploads, tally) = uploads();
        assert_eq!(uploads.len(), FILES.len() + 1);
        assert_eq!(tally.problems, []);
        let batch = Batch::read(RECORDS.as_bytes(), &mut Budget::default()).unwrap();
        assert_eq!(batch.problems, []);
    }
}
