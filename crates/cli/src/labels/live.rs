//! Runs labels with the live network.

use std::{path::Path, sync::Arc, time::Duration};

use appstitch_network::NetworkAccess;
use appstitch_publish::Publisher;
use appstitch_refresh::{KnownLabels, LabelPlan, LabelsDone, LabelsError, UnknownLabel};
use appstitch_resolver::{Event, LabelToRun, LiveOptions, RunReport, run_labels_until};
use appstitch_store::Store;

use super::{progress::Progress, unknown::unknown};
use crate::{exit::Failure, interrupt::interrupted, secrets};

/// The limits and permissions of a run.
pub(crate) fn options(
    time_limit: Option<Duration>,
    github_token_file: Option<&Path>,
    access: NetworkAccess,
) -> Result<LiveOptions, Failure> {
    let usual = LiveOptions::default();
    Ok(LiveOptions {
        time_limit: time_limit.unwrap_or(usual.time_limit),
        github_token: secrets::github_token(github_token_file)?,
        allow_private: access.allow_private,
        proxy: access.proxy,
        ..usual
    })
}

/// Runs labels for a server and shows the progress. An interrupt ends the run early; what was found
/// until then is not lost.
pub(super) async fn run(
    labels: Vec<LabelToRun>,
    options: LiveOptions,
) -> Result<RunReport, Failure> {
    let progress = Progress::default();
    let show = |event: Event<'_>| progress.show(event);
    let result = run_labels_until(stopped(), labels, options, None, &show).await;
    progress.finish();
    let report = result.map_err(Failure::unreachable)?;
    warn(&report);
    Ok(report)
}

/// The same for the labels of a store. What they find is published, and answers are kept.
pub(super) async fn run_in_store(
    store: &Store,
    publisher: &Arc<Publisher>,
    labels: &KnownLabels,
    plan: LabelPlan<'_>,
) -> Result<Option<LabelsDone>, Failure> {
    let progress = Progress::default();
    let show = |event: Event<'_>| progress.show(event);
    let result =
        appstitch_refresh::run_in_store(store, publisher, labels, plan, stopped(), &show).await;
    progress.finish();
    let done = result.map_err(|error| failure(error, labels))?;
    if let Some(done) = &done {
        warn(&done.run);
        if let Some(why) = &done.times_lost {
            eprintln!("warning: the times of the runs cannot be stored: {why}");
        }
    }
    Ok(done)
}

pub(super) fn failure(error: LabelsError, labels: &KnownLabels) -> Failure {
    match error {
        LabelsError::Unknown(UnknownLabel(name)) => unknown(&name, labels.names()),
        LabelsError::Lines(error) => Failure::no(error),
        error => Failure::unreachable(error),
    }
}

fn warn(report: &RunReport) {
    if let Some(why) = &report.network.cache_error {
        eprintln!("warning: earlier answers cannot be used: {why}");
    }
    if report.network.token_rejected {
        eprintln!("warning: the GitHub token is rejected; the labels were run without it");
    }
}

/// Waits for Ctrl-C or SIGTERM, and says what happens then.
async fn stopped() {
    interrupted().await;
    eprintln!("stopping; the labels that are done still count");
}
