//! Runs the labels of a store and publishes what they find, as one revision.

use std::sync::Arc;

use appstitch_budget::Budget;
use appstitch_publish::{
    CatalogChange, LabelResult, LinesError, PublishError, Publisher, ResolvedLines, ResolvedReport,
};
use appstitch_resolver::{
    Event, LabelRun, LiveOptions, ResolverError, RunReport, run_labels_until,
};
use appstitch_store::{Store, StoreError};
use jiff::Timestamp;
use thiserror::Error;

use super::{Choice, KnownLabels, PublishedFindings, UnknownLabel, finding_lines};

pub struct LabelPlan<'p> {
    pub choice: Choice<'p>,
    pub options: LiveOptions,
    /// Only report what would change.
    pub dry_run: bool,
}

#[derive(Debug)]
pub struct LabelsDone {
    pub run: RunReport,
    pub published: Result<PublishedFindings, LabelsError>,
    /// Why the times of the runs could not be stored.
    pub times_lost: Option<StoreError>,
}

#[derive(Debug, Error)]
pub enum LabelsError {
    #[error(transparent)]
    Unknown(#[from] UnknownLabel),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Resolver(#[from] ResolverError),
    #[error("cannot write the findings: {0}")]
    Write(#[from] serde_json::Error),
    #[error(transparent)]
    Lines(#[from] LinesError),
    #[error(transparent)]
    Publish(#[from] PublishError),
}

/// Runs the chosen labels until they are done or `end` is ready; `None` if no label is chosen. What
/// was found until then is published. Answers are kept in the store.
pub async fn run_in_store(
    store: &Store,
    publisher: &Arc<Publisher>,
    labels: &KnownLabels,
    plan: LabelPlan<'_>,
    end: impl Future<Output = ()>,
    observer: &(dyn Fn(Event<'_>) + Sync),
) -> Result<Option<LabelsDone>, LabelsError> {
    let chosen = plan.choice.of(labels, &store.label_runs().await?)?;
    if chosen.is_empty() {
        return Ok(None);
    }
    let mut run =
        run_labels_until(end, chosen, plan.options, Some(store.clone()), observer).await?;
    let is_offline = run.network.is_offline();
    let published = if is_offline {
        Ok(PublishedFindings::default())
    } else {
        publish_findings(publisher, &run.runs, plan.dry_run).await
    };
    let mut times_lost = None;
    // Labels whose findings are not published count as not run.
    if !plan.dry_run && !is_offline && published.is_ok() {
        times_lost = store.put_label_runs(std::mem::take(&mut run.last_runs)).await.err();
    }
    Ok(Some(LabelsDone { run, published, times_lost }))
}

/// With `dry_run`, only reports what would change.
pub async fn publish_findings(
    publisher: &Arc<Publisher>,
    runs: &[LabelRun],
    dry_run: bool,
) -> Result<PublishedFindings, LabelsError> {
    let lines = finding_lines(runs)?;
    if lines.is_empty() {
        return Ok(PublishedFindings::default());
    }
    let lines = ResolvedLines::read(&lines, Timestamp::now(), &mut Budget::default())?;
    if dry_run {
        let outcome = publisher.preview(lines).await?;
        return Ok(published_findings(outcome, None));
    }
    let mut published = publisher.publish(CatalogChange::ResolvedLabels(lines)).await?;
    let outcome = published.resolved.take().unwrap_or_default();
    Ok(published_findings(outcome, Some(published.token)))
}

/// If every label was rejected, nothing was published.
fn published_findings(outcome: ResolvedReport, token: Option<String>) -> PublishedFindings {
    let is_used = |result: &LabelResult| !matches!(result, LabelResult::Rejected { .. });
    PublishedFindings {
        revision: token.filter(|_| outcome.labels.iter().any(|label| is_used(&label.result))),
        outcomes: outcome.labels,
        problems: outcome.tally.problems,
    }
}
