//! The built-in sample catalog, for a first look without any upstream: small files of ours in
//! the upstreams' formats, going through the same readers as the real ones.
//!
//! The sample is nobody's data. It is marked in the store, makes way for the first real upload,
//! and never counts as something that could be lost.

mod labels;

use std::sync::Arc;

use appstitch_sources::{MAX_UNPACKED_BYTES, Upstream};

use crate::{
    Batch, CatalogChange, PublishError, Publisher, RecordsChange, SourceUpload, Tally,
    origin::SAMPLE,
};

/// The files of each upstream but the labels, which come as an archive.
const FILES: [(Upstream, &str); 5] = [
    (Upstream::CaskCatalog, include_str!("../sample/cask.json")),
    (Upstream::RecipeIndex, include_str!("../sample/index.json")),
    (Upstream::MdmInstaller, include_str!("../sample/titles.html")),
    (Upstream::MdmInstaller, include_str!("../sample/titles.json")),
    (Upstream::StoreListing, include_str!("../sample/lookup.json")),
];

/// A leftover: an app that is known, with nothing behind it.
const RECORDS: &str = include_str!("../sample/records.ndjson");

/// Publishes the sample where nothing was ever published; returns whether it did.
pub async fn load_sample(publisher: &Arc<Publisher>) -> Result<bool, PublishError> {
    if publisher.current().revision().is_some() {
        return Ok(false);
    }
    let (uploads, staying) = (uploads().0, Vec::new());
    publisher.publish(CatalogChange::Sources { uploads, staying, allow_shrink: true }).await?;
    for record in Batch::read(RECORDS.as_bytes()).records {
        let change = RecordsChange::PutSample(Box::new(record));
        publisher.publish(CatalogChange::Records(change)).await?;
    }
    Ok(true)
}

/// The sample's files, read.
fn uploads() -> (Vec<SourceUpload>, Tally) {
    let mut tally = Tally::default();
    let archive = (Upstream::LabelTool, labels::archive());
    let files = FILES.into_iter().map(|(upstream, text)| (upstream, text.as_bytes().to_vec()));
    let uploads = std::iter::once(archive)
        .chain(files)
        .filter_map(|(upstream, bytes)| {
            let (origin, limit) = (SAMPLE.to_owned(), MAX_UNPACKED_BYTES);
            match SourceUpload::read(upstream, origin, &bytes, limit, &mut tally) {
                Ok(upload) => Some(upload),
                Err(why) => {
                    tracing::error!(%why, source = upstream.token(), "the sample cannot be read");
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
        assert_eq!(Batch::read(RECORDS.as_bytes()).problems, []);
    }
}
