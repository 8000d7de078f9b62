//! Runs the labels of a store and publishes what they find, as one revision.

use std::sync::Arc;

use appstitch_budget::Budget;
use appstitch_publish::{
    CatalogChange, LabelResult, LinesError, PublishError, Publisher, ResolvedLines, ResolvedOutcome,
};
use appstitch_resolver::{
    Event, LabelRun, LiveOptions, ResolverError, RunReport, run_labels_until,
};
use appstitch_store::{Store, StoreError};
use jiff::Timestamp;
use thiserror::Error;

use super::{Choice, KnownLabels, PublishedFindings, UnknownLabel, finding_lines};

/// How labels are run, and what is done with the result.
pub struct LabelPlan<'p> {
    /// Which labels are run.
    pub choice: Choice<'p>,
    /// The limits and permissions of the run.
    pub options: LiveOptions,
    /// Only tell what would change.
    pub dry_run: bool,
}

/// A run, and what became of its findings.
#[derive(Debug)]
pub struct LabelsDone {
    /// The run.
    pub run: RunReport,
    /// What became of its findings.
    pub published: Result<PublishedFindings, LabelsError>,
    /// Why the times of the runs could not be stored.
    pub times_lost: Option<StoreError>,
}

/// Why labels could not be run, or their findings not be published.
#[derive(Debug, Error)]
pub enum LabelsError {
    /// A label is not known.
    #[error(transparent)]
    Unknown(#[from] UnknownLabel),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No label can be run.
    #[error(transparent)]
    Resolver(#[from] ResolverError),
    /// The findings cannot be written as lines.
    #[error("cannot write the findings: {0}")]
    Write(#[from] serde_json::Error),
    /// The findings are not valid.
    #[error(transparent)]
    Lines(#[from] LinesError),
    /// The findings cannot be published.
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

/// Publishes what runs found. With `dry_run`, only tells what would change.
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

/// What became of the findings. If every label was rejected, nothing was published.
fn published_findings(outcome: ResolvedOutcome, token: Option<String>) -> PublishedFindings {
    let is_used = |result: &LabelResult| !matches!(result, LabelResult::Rejected { .. });
    PublishedFindings {
        revision: token.filter(|_| outcome.labels.iter().any(|label| is_used(&label.result))),
        outcomes: outcome.labels,
        problems: outcome.tally.problems,
    }
}
