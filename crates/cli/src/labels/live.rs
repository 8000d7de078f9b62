//! Runs labels with the live network.

use std::{path::Path, time::Duration};

use appstitch_labels::Stopped;
use appstitch_resolver::{
    ArchitectureRun, LabelRun, LabelToRun, LiveOptions, RunReport, run_labels,
};
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

/// Runs labels and shows the progress. Answers and the times of the runs are kept in the store.
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

/// Whether requests were made and none was answered.
pub(super) fn is_offline(runs: &[LabelRun]) -> bool {
    let mut asked = false;
    for run in runs.iter().flat_map(|run| std::iter::once(&run.arm64).chain(&run.i386)) {
        if run.requests == 0 {
            continue;
        }
        asked = true;
        if !has_no_answer(run) {
            return false;
        }
    }
    asked
}

fn has_no_answer(run: &ArchitectureRun) -> bool {
    [&run.download_url, &run.app_new_version]
        .into_iter()
        .any(|value| matches!(value, Err(Stopped::Network(_))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(requests: usize, version: Result<Option<String>, Stopped>) -> LabelRun {
        LabelRun {
            file: String::new(),
            name: String::new(),
            text: String::new(),
            started_at: "2026-03-05T10:00:00Z".parse().unwrap(),
            arm64: ArchitectureRun { download_url: Ok(None), app_new_version: version, requests },
            i386: None,
            exchanges: Vec::new(),
        }
    }

    #[test]
    fn one_answer_means_that_the_network_works() {
        let failed = || run(1, Err(Stopped::Network("no route".to_owned())));
        let answered = run(1, Ok(Some(String::new())));
        let silent = run(0, Ok(Some("1.0".to_owned())));
        assert!(is_offline(&[failed(), silent.clone(), failed()]));
        assert!(!is_offline(&[failed(), answered]));
        assert!(!is_offline(&[silent]) && !is_offline(&[]));
    }
}
