//! One refresh of a schedule: what it does, logs and returns.

use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::Ordering},
};

use appstitch_publish::Publisher;
use appstitch_resolver::LiveOptions;
use appstitch_sources::Upstream;
use appstitch_store::Store;
use appstitch_types::SourceStatusResponse;
use jiff::Timestamp;

use super::{RefreshResult, Schedule};
use crate::{
    fetched_files::{FetchPlan, fetch},
    file_report::FileResult,
    labels::{Choice, KnownLabels, LabelPlan, LabelsDone, run_in_store},
    publish::{Refreshed, publish},
    remembered::{Remembered, remember},
    source_results::{Attempts, told},
    time_limit::TimeLimit,
};

/// For a refresh that ended before it had anything to publish.
const NOTHING_REFRESHED: &str = "nothing is refreshed; see the log";

/// The rejected entries of a file that are logged.
const LOGGED_PROBLEMS: usize = 5;

/// Stands for the runs of the labels, beside the names of the sources.
const LABELS: &str = "labels";

impl Schedule {
    /// Refreshes some sources once. The error names what is missing; the cause is in the log.
    pub(super) async fn refresh(
        &self,
        store: &Store,
        publisher: &Arc<Publisher>,
        attempts: Attempts,
        chosen: &[Upstream],
    ) -> Result<(), (RefreshResult, String)> {
        let names: Vec<&str> = chosen.iter().map(|upstream| upstream.token()).collect();
        tracing::info!(sources = names.join(", "), "refreshing");
        let limit = TimeLimit::start(self.time_limit);
        let refreshed = self.sources(store, publisher, limit, chosen).await;
        let reports = refreshed.as_ref().map_or(&[][..], |refreshed| &refreshed.reports);
        if let Err(error) = attempts.end(store, &self.config, reports).await {
            tracing::warn!(%error, "cannot write to the store how the sources were refreshed");
        }
        let refreshed = refreshed.map_err(|why| {
            let kept = if has_data(publisher) { "; the last data is kept" } else { "" };
            tracing::warn!(why, "the refresh failed{kept}");
            (RefreshResult::Failed, NOTHING_REFRESHED.to_owned())
        })?;
        if let Some(memory) = &refreshed.memory
            && let Err(error) = remember(store, memory).await
        {
            tracing::warn!(%error, "cannot write to the store which listings there are");
        }
        let mut missing = self.log_sources(publisher, &refreshed);
        // Sources that are not due yet, but failed when they were.
        let failing = store.source_refreshes().await.unwrap_or_default();
        let failing = told(failing, Timestamp::now(), self.time_limit);
        let failing = failing.iter().filter(|refresh| refresh.failures > 0);
        let failing = failing.filter_map(|refresh| Upstream::from_token(&refresh.source));
        missing
            .extend(failing.filter(|upstream| self.config.fetches(*upstream)).map(Upstream::token));
        let runs_labels =
            chosen.contains(&Upstream::LabelTool) || !self.config.fetches(Upstream::LabelTool);
        if let Some(options) = self.labels.as_ref().filter(|_| runs_labels) {
            let time_limit = limit.for_labels(options.time_limit);
            let options = LiveOptions { time_limit, ..options.clone() };
            if let Err(why) = labels(store, publisher, options).await {
                tracing::warn!(why, "the labels could not be resolved");
                missing.insert(LABELS);
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        let nothing = refreshed.published.is_none();
        let result = if nothing { RefreshResult::Failed } else { RefreshResult::Partial };
        Err((result, not_refreshed(&missing)))
    }

    async fn sources(
        &self,
        store: &Store,
        publisher: &Arc<Publisher>,
        limit: TimeLimit,
        chosen: &[Upstream],
    ) -> Result<Refreshed, String> {
        let known = publisher.fetched().await.map_err(|error| error.to_string())?;
        let is_chosen = |upstream| chosen.contains(&upstream);
        let remembered = Remembered::read(&self.config, is_chosen, store, publisher).await;
        let remembered = remembered.map_err(|error| error.to_string())?;
        let plan = FetchPlan {
            config: &self.config,
            only: chosen,
            known: &known,
            remembered: Some(&remembered),
            limit,
            other_parts: usize::from(self.labels.is_some()),
            all_problems: false,
        };
        let fetched = fetch(plan, &self.access, &()).await.map_err(|error| error.to_string())?;
        publish(publisher, fetched, false).await.map_err(|error| error.to_string())
    }

    /// Returns the sources that were not refreshed.
    fn log_sources(&self, publisher: &Publisher, refreshed: &Refreshed) -> BTreeSet<&'static str> {
        let mut missing = BTreeSet::new();
        for file in &refreshed.reports {
            let (source, address) = (file.upstream.token(), file.address.as_str());
            match &file.result {
                FileResult::Failed(failure) => {
                    let kept = has_data_of(publisher, source);
                    let kept = if kept { "; its last data is kept" } else { "" };
                    tracing::warn!(source, address, why = failure.why, "not refreshed{kept}");
                    missing.insert(source);
                }
                FileResult::Read(tally) if tally.rejected > 0 => {
                    tracing::warn!(
                        source,
                        address,
                        rejected = tally.rejected,
                        "entries are rejected"
                    );
                    for problem in tally.problems.iter().take(LOGGED_PROBLEMS) {
                        tracing::warn!(entry = problem.what, why = problem.why, "rejected");
                    }
                }
                FileResult::Nothing(why) => {
                    if !self.told_missing_table.swap(true, Ordering::Relaxed) {
                        tracing::info!(source, address, why, "nothing to read; this is told once");
                    }
                }
                FileResult::Read(_) | FileResult::Unchanged => {}
            }
        }
        if let Some(published) = &refreshed.published {
            tracing::info!(
                revision = published.token,
                changed = published.changed,
                apps = published.total,
                added = published.added,
                updated = published.updated,
                removed = published.removed,
                "refreshed"
            );
        }
        missing
    }
}

/// Whether there is a catalog at all.
fn has_data(publisher: &Publisher) -> bool {
    publisher.current().stats().total_apps > 0
}

fn has_data_of(publisher: &Publisher, source: &str) -> bool {
    let status: Option<SourceStatusResponse> =
        serde_json::from_slice(&publisher.source_status()).ok();
    let sources = status.into_iter().flat_map(|status| status.sources);
    sources.into_iter().any(|status| status.source == source && status.documents > 0)
}

/// Public, so without URLs and errors: those are only in the log.
fn not_refreshed(missing: &BTreeSet<&str>) -> String {
    let names: Vec<&str> = missing.iter().copied().collect();
    format!("not refreshed: {}; see the log", names.join(", "))
}

async fn labels(
    store: &Store,
    publisher: &Arc<Publisher>,
    options: LiveOptions,
) -> Result<(), String> {
    let documents = publisher.label_documents().await.map_err(|error| error.to_string())?;
    let labels = KnownLabels::of_documents(&documents);
    let plan = LabelPlan { choice: Choice::default(), options, dry_run: false };
    let never = std::future::pending();
    let done = run_in_store(store, publisher, &labels, plan, never, &|_| {}).await;
    let Some(LabelsDone { run, published, times_lost }) =
        done.map_err(|error| error.to_string())?
    else {
        return Ok(());
    };
    if run.network.is_offline() {
        return Err("no request was answered".to_owned());
    }
    if run.network.token_rejected {
        tracing::warn!("the GitHub token is rejected; the labels were run without it");
    }
    if let Some(error) = times_lost {
        tracing::warn!(%error, "the times of the runs cannot be stored");
    }
    let published = published.map_err(|error| error.to_string())?;
    tracing::info!(
        labels = run.runs.len(),
        left = run.left.len(),
        unchanged = published.unchanged(),
        revision = published.revision,
        "ran the labels"
    );
    Ok(())
}
