//! Publishes what runs found, as one revision, to a store or a running server.

use std::sync::Arc;

use appstitch_budget::Budget;
use appstitch_publish::{CatalogChange, Publisher, ResolvedUpload, read_resolved_labels};
use appstitch_resolver::LabelRun;
use jiff::Timestamp;

use super::{
    findings::{PublishedFindings, lines},
    server,
};
use crate::exit::Failure;

/// Publishes to a store. With `dry_run`, only tells what would change.
pub(super) async fn to_store(
    publisher: &Arc<Publisher>,
    runs: &[LabelRun],
    dry_run: bool,
) -> Result<PublishedFindings, Failure> {
    let lines = lines(runs)?;
    if lines.is_empty() {
        return Ok(PublishedFindings::default());
    }
    let documents = publisher.label_documents().await.map_err(Failure::unreachable)?;
    let now = Timestamp::now();
    let read = move || read_resolved_labels(&lines, &documents, now, &mut Budget::default());
    let read = tokio::task::spawn_blocking(read).await.map_err(Failure::unreachable)?;
    let ResolvedUpload { uploads, tally, labels } = read.map_err(Failure::unreachable)?;
    let mut revision = None;
    if !dry_run && !uploads.is_empty() {
        let change = CatalogChange::Sources { uploads, staying: Vec::new(), allow_shrink: true };
        let published = publisher.publish(change).await.map_err(Failure::unreachable)?;
        revision = Some(published.token);
    }
    Ok(PublishedFindings { revision, outcomes: labels, problems: tally.problems })
}

/// Publishes to a running server.
pub(super) async fn to_server(
    address: &str,
    token: &str,
    runs: &[LabelRun],
) -> Result<PublishedFindings, Failure> {
    let lines = lines(runs)?;
    if lines.is_empty() {
        return Ok(PublishedFindings::default());
    }
    let summary = server::post_resolved(address, token, lines).await?;
    Ok(PublishedFindings {
        revision: Some(summary.revision),
        outcomes: summary.labels,
        problems: summary.problems,
    })
}
