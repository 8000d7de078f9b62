//! `appstitch label`: an installer label for one app.

use anyhow::{Context, anyhow};
use appstitch_catalog::GeneratedLabel;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::header::ACCEPT;
use serde_json::Value;

use crate::{
    arguments::LabelArguments,
    exit::{self, Failure},
};

pub(crate) async fn run(arguments: LabelArguments) -> Result<(), Failure> {
    let server = arguments.server.server.trim_end_matches('/');
    let slug = utf8_percent_encode(&arguments.slug, NON_ALPHANUMERIC);
    let kind = if arguments.shell { "text/x-shellscript" } else { "application/json" };
    let response = reqwest::Client::new()
        .post(format!("{server}/apps/{slug}/generate-label"))
        .header(ACCEPT, kind)
        .send()
        .await
        .with_context(|| format!("cannot reach {server}"))
        .map_err(Failure::unreachable)?;
    let status = response.status();
    let text = response.text().await.map_err(Failure::unreachable)?;
    if !status.is_success() {
        let body: Value = serde_json::from_str(&text).unwrap_or_default();
        let error = match body["detail"].as_str() {
            Some(detail) => anyhow!("{detail}"),
            None => anyhow!("{server} answered {status}"),
        };
        let is_answer = status.is_client_error();
        return Err(if is_answer { Failure::no(error) } else { Failure::unreachable(error) });
    }
    if arguments.shell {
        exit::print(&text)
    } else if arguments.json {
        exit::print(&format!("{text}\n"))
    } else {
        let label = serde_json::from_str(&text)
            .with_context(|| format!("{server} answered no label"))
            .map_err(Failure::unreachable)?;
        show(&label)
    }
}

/// The variables as an aligned list, and what is missing on stderr.
fn show(label: &GeneratedLabel) -> Result<(), Failure> {
    for warning in &label.warnings {
        eprintln!("warning: {warning}");
    }
    let width = label.content.keys().map(String::len).max().unwrap_or_default();
    let lines = label.content.iter().map(|(name, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!("{name:width$}  {value}\n")
    });
    exit::print(&lines.collect::<String>())
}
