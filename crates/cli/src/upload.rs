//! Sends upstream files to a running server.

use std::{fmt, path::Path};

use anyhow::{Context, anyhow};
use appstitch_budget::Budget;
use appstitch_publish::{SourceUpload, Tally, upload_origin};
use appstitch_sources::{MAX_UNPACKED_BYTES, Upstream};
use reqwest::{RequestBuilder, StatusCode, multipart};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    arguments::UploadArguments,
    exit::{Failure, root_cause},
    secrets::required_deploy_token,
    words::counted,
};

/// `appstitch upload`: files of one source, as one change.
pub(crate) async fn run(arguments: UploadArguments) -> Result<(), Failure> {
    let token = required_deploy_token(&arguments.token)?;
    let mut files = Vec::new();
    for file in &arguments.files {
        let bytes = std::fs::read(file)
            .with_context(|| format!("cannot read {}", file.display()))
            .map_err(Failure::wrong_use)?;
        if !arguments.allow_empty {
            has_entries(arguments.source, file, &bytes)?;
        }
        files.push((arguments.source, bytes));
    }
    match send(&arguments.server.server, &token, &files, arguments.allow_shrink).await? {
        UploadResult::Accepted(summary) => {
            print_summary(&summary);
            Ok(())
        }
        UploadResult::Shrinks(shrink) => {
            Err(Failure::no(anyhow!("upload rejected: {shrink}")).hint(ALLOW_SHRINK))
        }
    }
}

/// Rejects a file in which no entry would be accepted: it is probably the wrong one. What cannot be
/// read at all is left to the server, whose version may differ.
fn has_entries(source: Upstream, file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut tally = Tally::default();
    let budget = &mut Budget::default();
    let origin = upload_origin(1);
    let read = SourceUpload::read(source, origin, bytes, MAX_UNPACKED_BYTES, &mut tally, budget);
    if read.is_err() || tally.received > tally.rejected {
        return Ok(());
    }
    for problem in tally.problems.iter().take(SHOWN_PROBLEMS) {
        eprintln!("warning: {}: {}", problem.what, problem.why);
    }
    let why = match tally.received {
        0 => format!("{} has no entries of {}", file.display(), source.token()),
        rejected => format!(
            "{}: none of {} of {} can be used",
            file.display(),
            counted(rejected, "entry"),
            source.token()
        ),
    };
    Err(Failure::no(anyhow!(why)).hint("pass --allow-empty to upload it anyway"))
}

/// The rejected entries that are shown of a file in which all are.
const SHOWN_PROBLEMS: usize = 5;

const ALLOW_SHRINK: &str = "pass --allow-shrink if this is intended";

pub(crate) enum UploadResult {
    /// Accepted; the server's summary.
    Accepted(Value),
    /// Rejected, because one source would lose too many entries.
    Shrinks(Shrink),
}

/// The body of a 409: the source that would lose too many entries.
#[derive(Debug, Deserialize)]
pub(crate) struct Shrink {
    pub(crate) source: String,
    pub(crate) removed: usize,
    pub(crate) present: usize,
}

impl fmt::Display for Shrink {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source, removed, present } = self;
        write!(formatter, "{removed} of {present} entries of {source} would be removed")
    }
}

pub(crate) async fn send(
    server: &str,
    token: &str,
    files: &[(Upstream, Vec<u8>)],
    allow_shrink: bool,
) -> Result<UploadResult, Failure> {
    let form = files.iter().fold(multipart::Form::new(), |form, (upstream, bytes)| {
        form.part(upstream.token(), multipart::Part::bytes(bytes.clone()))
    });
    let query = if allow_shrink { "?allow_shrink=true" } else { "" };
    let address = format!("{}/admin/sources{query}", server.trim_end_matches('/'));
    let request = client()?.put(address).bearer_auth(token).multipart(form);
    let (status, text) = exchange(server, request).await?;
    if status == StatusCode::CONFLICT
        && let Ok(shrink) = serde_json::from_str(&text)
    {
        return Ok(UploadResult::Shrinks(shrink));
    }
    let body: Value = serde_json::from_str(&text).unwrap_or_default();
    if status.is_success() {
        Ok(UploadResult::Accepted(body))
    } else {
        Err(rejected(status, &body))
    }
}

pub(crate) fn client() -> Result<reqwest::Client, Failure> {
    appstitch_network::client_builder().build().map_err(Failure::unreachable)
}

/// Sends a request to a server and reads the whole response.
pub(crate) async fn exchange(
    server: &str,
    request: RequestBuilder,
) -> Result<(StatusCode, String), Failure> {
    let response = match request.send().await {
        Ok(response) => response,
        Err(error) if error.is_builder() => {
            return Err(Failure::invalid_server(server));
        }
        Err(error) => return Err(Failure::server_unavailable(server, root_cause(&error))),
    };
    let status = response.status();
    let text =
        response.text().await.context("incomplete response").map_err(Failure::unreachable)?;
    Ok((status, text))
}

pub(crate) fn rejected(status: StatusCode, body: &Value) -> Failure {
    // The detail of a 409 is for users of the HTTP interface: it names a query parameter.
    if status == StatusCode::CONFLICT {
        let why = "upload rejected: more than a fifth of the records would be removed";
        return Failure::no(anyhow!(why)).hint(ALLOW_SHRINK);
    }
    let detail = body["detail"].as_str().unwrap_or("no details");
    let error = anyhow!("the server answered {status}: {detail}");
    match status {
        StatusCode::SERVICE_UNAVAILABLE => Failure::unreachable(error),
        StatusCode::UNAUTHORIZED => Failure::wrong_deploy_token(),
        _ => Failure::no(error),
    }
}

/// Prints the server's summary to stderr.
pub(crate) fn print_summary(summary: &Value) {
    for problem in summary["problems"].as_array().into_iter().flatten() {
        eprintln!("warning: {}: {}", text(&problem["what"]), text(&problem["why"]));
    }
    let apps = &summary["apps"];
    eprintln!(
        "{} of {} accepted; {} ({} added, {} updated, {} removed), revision {}{}",
        summary["accepted"],
        counted(&summary["received"], "entry"),
        counted(&apps["total"], "app"),
        apps["added"],
        apps["updated"],
        apps["removed"],
        text(&summary["revision"]),
        if summary["changed"] == true { "" } else { " (unchanged)" },
    );
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::exit::{NO, UNREACHABLE};

    #[test]
    fn a_rejected_upload_names_the_flag_and_not_the_query_parameter() {
        for body in [json!({"detail": "send it again with ?allow_shrink=true"}), Value::Null] {
            let failure = rejected(StatusCode::CONFLICT, &body);
            let text = failure.to_string();
            assert_eq!(failure.code, NO);
            assert!(text.ends_with("\nhint: pass --allow-shrink if this is intended"), "{text}");
            assert!(!text.contains("allow_shrink"), "{text}");
        }
        let shrink = json!({"detail": "", "source": "cask_catalog", "removed": 3, "present": 4});
        let shrink: Shrink = serde_json::from_value(shrink).unwrap();
        assert_eq!(shrink.to_string(), "3 of 4 entries of cask_catalog would be removed");
    }

    #[test]
    fn other_refusals_are_in_the_words_of_the_server() {
        // The status decides about the hint, not the text.
        let body = json!({"detail": "?allow_shrink=true"});
        let failure = rejected(StatusCode::UNPROCESSABLE_ENTITY, &body);
        assert!(!failure.to_string().contains("hint:"));
        let failure = rejected(StatusCode::SERVICE_UNAVAILABLE, &json!({"detail": "uploads off"}));
        assert_eq!(failure.code, UNREACHABLE);
        assert!(failure.to_string().ends_with("503 Service Unavailable: uploads off"));
    }
}
