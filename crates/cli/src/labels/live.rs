//! Runs labels with the live network.

use std::{path::Path, time::Duration};

use appstitch_resolver::{LabelToRun, LiveOptions, RunReport, run_labels_until};
use appstitch_sources::fetch::NetworkAccess;
use appstitch_store::Store;

use super::progress::Progress;
use crate::{exit::Failure, github_token, interrupt::interrupted};

/// The limits and permissions of a run.
pub(crate) fn options(
    time_limit: Option<Duration>,
    github_token_file: Option<&Path>,
    access: NetworkAccess,
) -> Result<LiveOptions, Failure> {
    let usual = LiveOptions::default();
    Ok(LiveOptions {
        time_limit: time_limit.unwrap_or(usual.time_limit),
        github_token: github_token::read(github_token_file)?,
        allow_private: access.allow_private,
        proxy: access.proxy,
        ..usual
    })
}

/// Runs labels and shows the progress. Answers are kept in the store. An interrupt ends the run early;
/// what was found until then is not lost.
pub(super) async fn run(
    labels: Vec<LabelToRun>,
    options: LiveOptions,
    store: Option<Store>,
) -> Result<RunReport, Failure> {
    let progress = Progress::start(labels.len());
    let result =
        run_labels_until(stopped(), labels, options, store, &|event| progress.show(event)).await;
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

/// Waits for Ctrl-C or SIGTERM, and tells what happens then.
async fn stopped() {
    interrupted().await;
    eprintln!("stopping; the labels that are done still count");
}
