//! Sending upstreams' files to a running server.

use anyhow::{Context, anyhow};
use appstitch_sources::Upstream;
use reqwest::{Response, StatusCode, multipart};
use serde_json::Value;

use crate::{arguments::UploadArguments, deploy_token, exit::Failure};

/// `appstitch upload`: one file.
pub(crate) async fn run(arguments: UploadArguments) -> Result<(), Failure> {
    let token = deploy_token::required(&arguments.token)?;
    let bytes = std::fs::read(&arguments.file)
        .with_context(|| format!("cannot read {}", arguments.file.display()))
        .map_err(Failure::wrong_use)?;
    let files = vec![(arguments.source, bytes)];
    let summary = send(&arguments.server.server, &token, files, arguments.allow_shrink).await?;
    tell(&summary);
    Ok(())
}

/// Sends files as one change and returns the server's summary.
pub(crate) async fn send(
    server: &str,
    token: &str,
    files: Vec<(Upstream, Vec<u8>)>,
    allow_shrink: bool,
) -> Result<Value, Failure> {
    let form = files.into_iter().fold(multipart::Form::new(), |form, (upstream, bytes)| {
        form.part(upstream.token(), multipart::Part::bytes(bytes))
    });
    let query = if allow_shrink { "?allow_shrink=true" } else { "" };
    let address = format!("{}/admin/sources{query}", server.trim_end_matches('/'));
    let request = reqwest::Client::new().put(address).bearer_auth(token).multipart(form);
    let response = request
        .send()
        .await
        .with_context(|| format!("cannot reach {server}"))
        .map_err(Failure::unreachable)?;
    read_summary(response).await
}

async fn read_summary(response: Response) -> Result<Value, Failure> {
    let status = response.status();
    let text = response.text().await.map_err(Failure::unreachable)?;
    let body: Value = serde_json::from_str(&text).unwrap_or_default();
    if status.is_success() {
        return Ok(body);
    }
    let detail = body["detail"].as_str().unwrap_or("no reason given");
    let error = anyhow!("the server answered {status}: {detail}");
    Err(if status == StatusCode::SERVICE_UNAVAILABLE {
        Failure::unreachable(error)
    } else {
        Failure::no(error)
    })
}

/// Tells a person what the server said.
pub(crate) fn tell(summary: &Value) {
    for problem in summary["problems"].as_array().into_iter().flatten() {
        eprintln!("warning: {}: {}", text(&problem["what"]), text(&problem["why"]));
    }
    let apps = &summary["apps"];
    eprintln!(
        "{} of {} entries taken; {} apps ({} added, {} updated, {} removed), revision {}{}",
        summary["accepted"],
        summary["received"],
        apps["total"],
        apps["added"],
        apps["updated"],
        apps["removed"],
        text(&summary["revision"]),
        if summary["changed"] == true { "" } else { " (nothing changed)" },
    );
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
