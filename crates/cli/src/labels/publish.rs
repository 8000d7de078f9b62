//! Publishes what runs found to a running server.

use appstitch_refresh::{PublishedFindings, finding_lines};
use appstitch_resolver::LabelRun;

use super::server;
use crate::exit::Failure;

/// Publishes to a running server.
pub(super) async fn to_server(
    address: &str,
    token: &str,
    runs: &[LabelRun],
) -> Result<PublishedFindings, Failure> {
    let lines = finding_lines(runs).map_err(Failure::unreachable)?;
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
