//! One refresh of a schedule: what it does, logs and returns.

use std::{collections::BTreeSet, sync::Arc};

use appstitch_publish::Publisher;
use appstitch_resolver::LiveOptions;
use appstitch_store::Store;

use super::{RefreshResult, Schedule};
use crate::{
    fetched_files::{FetchPlan, fetch},
    file_report::FileResult,
    labels::{Choice, KnownLabels, LabelPlan, LabelsDone, run_in_store},
    publish::{Refreshed, publish},
    time_limit::TimeLimit,
};

/// For a refresh that ended before it had anything to publish.
const NOTHING_REFRESHED: &str = "nothing is refreshed; see the log";

/// Stands for the runs of the labels, beside the names of the sources.
const LABELS: &str = "labels";

impl Schedule {
    /// Refreshes once. The error names what is missing; the cause is in the log.
    pub(super) async fn refresh(
        &self,
        store: &Store,
        publisher: &Arc<Publisher>,
    ) -> Result<(), (RefreshResult, String)> {
        tracing::info!("refreshing");
        let limit = TimeLimit::start(self.time_limit);
        let refreshed = self.sources(publisher, limit).await.map_err(|why| {
            tracing::warn!(why, "the refresh failed; the last data is kept");
            (RefreshResult::Failed, NOTHING_REFRESHED.to_owned())
        })?;
        let mut missing = log_sources(&refreshed);
        if let Some(options) = &self.labels {
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
        publisher: &Arc<Publisher>,
        limit: TimeLimit,
    ) -> Result<Refreshed, String> {
        let known = publisher.fetched().await.map_err(|error| error.to_string())?;
        let plan = FetchPlan {
            config: &self.config,
            only: &[],
            known: &known,
            limit,
            other_parts: usize::from(self.labels.is_some()),
        };
        let fetched = fetch(plan, &self.access, &()).await.map_err(|error| error.to_string())?;
        publish(publisher, fetched, false).await.map_err(|error| error.to_string())
    }
}

/// Public, so without URLs and errors: those are only in the log.
fn not_refreshed(missing: &BTreeSet<&str>) -> String {
    let names: Vec<&str> = missing.iter().copied().collect();
    format!("not refreshed: {}; see the log", names.join(", "))
}

/// Returns the sources that were not refreshed.
fn log_sources(refreshed: &Refreshed) -> BTreeSet<&'static str> {
    let mut missing = BTreeSet::new();
    for file in &refreshed.reports {
        let (source, address) = (file.upstream.token(), file.address.as_str());
        match &file.result {
            FileResult::Failed(why) => {
                tracing::warn!(source, address, why, "not refreshed; its last data is kept");
                missing.insert(source);
            }
            FileResult::Read(tally) if tally.rejected > 0 => {
                tracing::warn!(source, address, rejected = tally.rejected, "entries are rejected");
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
