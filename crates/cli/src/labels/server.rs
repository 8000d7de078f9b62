//! The routes of a running server for labels.

use std::collections::HashSet;

use anyhow::Context;
use appstitch_catalog::without_credentials;
use appstitch_publish::{LabelOutcome, UploadProblem};
use reqwest::RequestBuilder;
use serde::{Deserialize, de::DeserializeOwned};

use crate::{exit::Failure, upload};

/// The response to resolved labels.
#[derive(Debug, Deserialize)]
pub(super) struct ResolvedSummary {
    pub(super) revision: String,
    #[serde(default)]
    pub(super) labels: Vec<LabelOutcome>,
    #[serde(default)]
    pub(super) problems: Vec<UploadProblem>,
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

/// Sends what labels found.
pub(super) async fn post_resolved(
    server: &str,
    token: &str,
    lines: Vec<u8>,
) -> Result<ResolvedSummary, Failure> {
    let request = upload::client()?.post(route(server, "resolved")).bearer_auth(token);
    ask(server, request.body(lines)).await
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
