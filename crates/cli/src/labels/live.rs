//! Runs labels with the live network.

use std::{path::Path, time::Duration};

use appstitch_resolver::{LabelToRun, LiveOptions, RunReport, run_labels};
use appstitch_store::Store;

use super::progress::Progress;
use crate::{exit::Failure, github_token};

/// The limits and permissions of a run.
pub(crate) fn options(
    time_limit: Option<Duration>,
    github_token_file: Option<&Path>,
    allow_private: bool,
) -> Result<LiveOptions, Failure> {
    let usual = LiveOptions::default();
    Ok(LiveOptions {
        time_limit: time_limit.unwrap_or(usual.time_limit),
        github_token: github_token::read(github_token_file)?,
        allow_private,
        ..usual
    })
}

/// Runs labels and shows the progress. Answers are kept in the store.
pub(super) async fn run(
    labels: Vec<LabelToRun>,
    options: LiveOptions,
    store: Option<Store>,
) -> Result<RunReport, Failure> {
    let progress = Progress::start(labels.len());
    let result = run_labels(labels, options, store, &|event| progress.show(event)).await;
    progress.finish();
    let report = result.map_err(Failure::unreachable)?;
    if let Some(why) = &report.network.cache_error {
        eprintln!("warning: earlier answers cannot be used: {why}");
    }
    if report.network.token_rejected {
        eprintln!("warning: the GitHub token is rejected; the labels were run without it");
    }
    Ok(report)
}
