//! Where the labels come from: an archive, the store, or the label source.

use std::{path::Path, time::Duration};

use anyhow::{Context, anyhow};
use appstitch_network::{FILE_TIME, Fetched, Fetcher, NetworkAccess, Validators};
use appstitch_refresh::{KnownLabels, UpstreamConfig};
use appstitch_sources::{Upstream, label_tool};
use appstitch_store::StoreAddress;

use crate::{exit::Failure, open_store};

/// The labels of an archive, as the label source publishes it.
pub(super) fn in_file(file: &Path) -> Result<KnownLabels, Failure> {
    let context = || format!("cannot read the labels from {}", file.display());
    let bytes = std::fs::read(file).with_context(context).map_err(Failure::wrong_use)?;
    let entries =
        label_tool::fragments(&bytes).with_context(context).map_err(Failure::wrong_use)?;
    Ok(KnownLabels::of_entries(&entries))
}

/// The labels of an archive or, without one, of a store. The store is not written to.
pub(super) async fn in_file_or_store(
    file: Option<&Path>,
    store: &StoreAddress,
) -> Result<KnownLabels, Failure> {
    if let Some(file) = file {
        return in_file(file);
    }
    let store = open_store::open_to_read(store)
        .await
        .map_err(|failure| failure.hint("pass the archive of the label source with --labels"))?;
    let contents = store.load().await.map_err(Failure::unreachable)?;
    let token = Upstream::LabelTool.token();
    let documents: Vec<_> =
        contents.documents.into_iter().filter(|document| document.source == token).collect();
    not_empty(KnownLabels::of_documents(&documents))
}

pub(super) fn not_empty(labels: KnownLabels) -> Result<KnownLabels, Failure> {
    if labels.is_empty() {
        return Err(Failure::wrong_use(anyhow!("the store has no labels")).hint(
            "fetch them with `appstitch refresh --only label_tool`, or pass the archive of the \
             label source with --labels",
        ));
    }
    Ok(labels)
}

pub(super) async fn fetch(
    config: &UpstreamConfig,
    access: &NetworkAccess,
    time_limit: Duration,
) -> Result<KnownLabels, Failure> {
    let fetcher = Fetcher::new(access).map_err(Failure::unreachable)?;
    let mut entries = Vec::new();
    let mut addresses = 0;
    for (upstream, address) in config.addresses() {
        if upstream != Upstream::LabelTool {
            continue;
        }
        addresses += 1;
        eprintln!("fetching {} from {address}", upstream.token());
        let fetched = fetcher
            .fetch(address, &Validators::default(), FILE_TIME.min(time_limit), &|_, _| {})
            .await
            .map_err(|error| {
                Failure::unreachable(anyhow!("cannot fetch the labels: {}", error.reason()))
            })?;
        // Without validators, a server has no reason to answer that nothing changed.
        let Fetched::File { bytes, .. } = fetched else { continue };
        let fragments = label_tool::fragments(&bytes)
            .with_context(|| format!("cannot read the labels from {address}"))
            .map_err(Failure::unreachable)?;
        entries.extend(fragments);
    }
    if addresses == 0 {
        return Err(Failure::wrong_use(anyhow!("the configuration has no address of label_tool"))
            .hint("pass the archive of the label source with --labels"));
    }
    Ok(KnownLabels::of_entries(&entries))
}
