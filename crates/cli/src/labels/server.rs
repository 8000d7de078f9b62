//! The routes of a running server for labels.

use std::collections::HashSet;

use anyhow::Context;
use appstitch_publish::{LabelReport, UploadProblem};
use appstitch_refresh::{PublishedFindings, finding_lines};
use appstitch_resolver::LabelRun;
use appstitch_types::without_credentials;
use reqwest::RequestBuilder;
use serde::{Deserialize, de::DeserializeOwned};

use crate::{exit::Failure, upload};

#[derive(Debug, Deserialize)]
struct ResolvedSummary {
    revision: String,
    #[serde(default)]
    labels: Vec<LabelReport>,
    #[serde(default)]
    problems: Vec<UploadProblem>,
}

#[derive(Deserialize)]
struct Unresolved {
    labels: HashSet<String>,
}

/// The labels whose version or download URL the server does not know.
pub(super) async fn unresolved(server: &str, token: &str) -> Result<HashSet<String>, Failure> {
    let request = upload::client()?.get(route(server, "unresolved")).bearer_auth(token);
    let unresolved: Unresolved = ask(server, request).await?;
    Ok(unresolved.labels)
}

/// Checks the server and the token, before long work for it.
pub(crate) async fn check_access(server: &str, token: &str) -> Result<(), Failure> {
    unresolved(server, token).await.map(drop)
}

pub(super) async fn publish(
    server: &str,
    token: &str,
    runs: &[LabelRun],
) -> Result<PublishedFindings, Failure> {
    let lines = finding_lines(runs).map_err(Failure::unreachable)?;
    if lines.is_empty() {
        return Ok(PublishedFindings::default());
    }
    let request = upload::client()?.post(route(server, "resolved")).bearer_auth(token);
    let summary: ResolvedSummary = ask(server, request.body(lines)).await?;
    Ok(PublishedFindings {
        revision: Some(summary.revision),
        outcomes: summary.labels,
        problems: summary.problems,
    })
}

fn route(server: &str, name: &str) -> String {
    format!("{}/admin/labels/{name}", server.trim_end_matches('/'))
}

async fn ask<T: DeserializeOwned>(server: &str, request: RequestBuilder) -> Result<T, Failure> {
    let (status, text) = upload::exchange(server, request).await?;
    if !status.is_success() {
        return Err(upload::rejected(status, &serde_json::from_str(&text).unwrap_or_default()));
    }
    serde_json::from_str(&text)
        .with_context(|| format!("unexpected response of {}", without_credentials(server)))
        .map_err(Failure::unreachable)
}
