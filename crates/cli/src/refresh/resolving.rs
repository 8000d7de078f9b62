//! Resolves labels after a refresh of a running server.

use anyhow::anyhow;
use appstitch_refresh::FetchedFiles;
use appstitch_resolver::LiveOptions;
use appstitch_sources::{Upstream, UpstreamEntry};

use crate::{exit::Failure, labels};

/// The labels among the fetched files.
pub(super) fn labels_in(fetch: &FetchedFiles) -> Vec<UpstreamEntry> {
    let files = fetch.files.iter().filter(|file| file.upstream == Upstream::LabelTool);
    files.flat_map(|file| file.upload.entries.iter().cloned()).collect()
}

/// Runs the labels that were just sent. The server has no route that returns its labels.
pub(super) async fn for_server(
    server: &str,
    token: &str,
    labels: &[UpstreamEntry],
    options: LiveOptions,
) -> Result<Option<labels::Report>, Failure> {
    if labels.is_empty() {
        let why = "label_tool was not refreshed, so there are no labels to run";
        return Err(Failure::no(anyhow!(why)));
    }
    labels::after_upload(server, token, labels, options).await
}
