//! Publishes what runs found, as one revision, to a store or a running server.

use std::sync::Arc;

use appstitch_budget::Budget;
use appstitch_publish::{CatalogChange, LabelResult, Publisher, ResolvedLines, ResolvedOutcome};
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
    let lines = ResolvedLines::read(&lines, Timestamp::now(), &mut Budget::default())
        .map_err(Failure::no)?;
    if dry_run {
        let outcome = publisher.preview(lines).await.map_err(Failure::unreachable)?;
        return Ok(published_findings(outcome, None));
    }
    let change = CatalogChange::ResolvedLabels(lines);
    let mut published = publisher.publish(change).await.map_err(Failure::unreachable)?;
    let outcome = published.resolved.take().unwrap_or_default();
    Ok(published_findings(outcome, Some(published.token)))
}

/// What became of the findings. If every label was rejected, nothing was published.
fn published_findings(outcome: ResolvedOutcome, token: Option<String>) -> PublishedFindings {
    let is_used = |result: &LabelResult| !matches!(result, LabelResult::Rejected { .. });
    PublishedFindings {
        revision: token.filter(|_| outcome.labels.iter().any(|label| is_used(&label.result))),
        outcomes: outcome.labels,
        problems: outcome.tally.problems,
    }
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
