//! What a run of labels found, and what became of it.

mod table;

use appstitch_publish::LabelResult;
use appstitch_refresh::PublishedFindings;
use appstitch_resolver::RunReport;
use serde::Serialize;

use super::reasons::{self, ReasonGroup};
use crate::{
    exit::{self, Failure},
    labels::escape::escape,
    words::counted,
};

/// The number of reasons after a refresh. `labels resolve` shows all of them.
const MOST_REASONS: usize = 10;

/// The result of a run. Its JSON is documented in `docs/resolving-labels.md`.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    labels: usize,
    /// The number of labels that found everything they state.
    resolved: usize,
    /// The number of labels whose values are as before.
    unchanged: usize,
    changed: Vec<ChangedLabel>,
    /// The labels with unknown values, by reason.
    unresolved: Vec<ReasonGroup>,
    /// Versions that are lower than the known ones and must be found again.
    pending: Vec<PendingLabel>,
    rejected: Vec<RejectedLabel>,
    /// The labels that were not run in time.
    left: Vec<String>,
    requests: u64,
    /// The number of answers that had not changed since an earlier run.
    not_modified: u64,
    limited_hosts: Vec<String>,
    /// The served revision; null if nothing was published.
    revision: Option<String>,
    #[serde(skip)]
    unresolved_labels: usize,
    #[serde(skip)]
    is_offline: bool,
}

/// A label with another version or download URL.
#[derive(Debug, Serialize)]
struct ChangedLabel {
    label: String,
    old: Option<String>,
    /// The same as `old` if only the download URL changed.
    new: Option<String>,
}

/// A version that waits to be found again.
#[derive(Debug, Serialize)]
struct PendingLabel {
    label: String,
    version: String,
    known: String,
    settles_at: String,
}

#[derive(Debug, Serialize)]
struct RejectedLabel {
    label: String,
    why: String,
}

impl Report {
    pub(super) fn new(run: &RunReport, published: PublishedFindings) -> Self {
        let unresolved_labels =
            run.runs.iter().filter(|run| !reasons::of_run(run).is_empty()).count();
        let mut changed = Vec::new();
        let mut pending = Vec::new();
        let mut rejected = Vec::new();
        let unchanged = published.unchanged();
        for outcome in published.outcomes {
            let label = outcome.label;
            match outcome.result {
                LabelResult::Changed { before, after } => {
                    changed.push(ChangedLabel { label, old: before, new: after });
                }
                LabelResult::Unchanged => {}
                LabelResult::Pending { version, known, settles_at } => {
                    let settles_at = settles_at.to_string();
                    pending.push(PendingLabel { label, version, known, settles_at });
                }
                LabelResult::Rejected { why } => rejected.push(RejectedLabel { label, why }),
            }
        }
        Self {
            labels: run.runs.len(),
            resolved: run.runs.len() - unresolved_labels,
            unchanged,
            changed,
            unresolved: reasons::group(run.runs.iter()),
            pending,
            rejected,
            left: run.left.clone(),
            requests: run.network.requests_sent,
            not_modified: run.network.not_modified,
            limited_hosts: run.network.limited_hosts.clone(),
            revision: published.revision,
            unresolved_labels,
            is_offline: run.network.is_offline(),
        }
    }

    /// Prints the report to stdout, because it is the result of the command.
    pub(super) fn print(&self, as_json: bool) -> Result<(), Failure> {
        if as_json {
            let text = serde_json::to_string(self).map_err(Failure::unreachable)?;
            return exit::print(&format!("{text}\n"));
        }
        exit::print(&self.table())
    }

    pub(crate) fn summary(&self) -> String {
        let Self { labels, resolved, changed, unresolved_labels, left, .. } = self;
        let changed = changed.len();
        let left = match left.len() {
            0 => String::new(),
            left => format!(", {left} left for next time"),
        };
        let revision = match &self.revision {
            Some(revision) => format!(", revision {}", escape(revision)),
            None => String::new(),
        };
        format!(
            "{} run: {resolved} resolved ({changed} changed), {unresolved_labels} unresolved{left}{revision}",
            counted(labels, "label")
        )
    }

    /// The most frequent reasons why labels stay unresolved, and why values were rejected, one per
    /// line.
    pub(crate) fn reasons(&self) -> Vec<String> {
        let rejected = self.rejected.iter();
        let rejected =
            rejected.map(|label| format!("{}: {}", escape(&label.label), escape(&label.why)));
        self.unresolved_lines().chain(rejected).take(MOST_REASONS).collect()
    }

    pub(crate) fn is_offline(&self) -> bool {
        self.is_offline
    }

    /// Whether all labels found everything they state, and nothing of it was rejected.
    pub(super) fn is_complete(&self) -> bool {
        self.unresolved_labels == 0 && self.rejected.is_empty() && self.left.is_empty()
    }
}
