//! The result of publishing, and the response to an upload.

use appstitch_stitching::LeftOut;
use serde::Serialize;

use crate::{
    resolved_labels::{LabelReport, ResolvedReport},
    tally::{LISTED_PROBLEMS, Tally, UploadProblem},
};

/// The effect of a change on the served catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    pub token: String,
    pub changed: bool,
    pub total: u64,
    pub added: usize,
    pub updated: usize,
    pub removed: usize,
    /// What became of resolved labels; `None` if the change had none.
    pub resolved: Option<ResolvedReport>,
    /// What was left out of the catalog because of the bounds.
    pub left_out: LeftOut,
}

#[derive(Debug, Clone, Serialize)]
pub struct BatchSummary {
    pub revision: String,
    pub changed: bool,
    pub received: usize,
    pub accepted: usize,
    pub rejected: usize,
    /// The first hundred problems.
    pub problems: Vec<UploadProblem>,
    pub apps: AppCounts,
    /// What became of each resolved label. Other uploads have none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<LabelReport>,
}

#[derive(Debug, Clone, Serialize)]
pub struct AppCounts {
    total: u64,
    added: usize,
    updated: usize,
    removed: usize,
}

impl Tally {
    #[must_use]
    pub fn summary(mut self, published: Published) -> BatchSummary {
        // They concern the whole catalog, so they come before the problems of single entries.
        let left_out = published.left_out.reasons();
        let left_out = left_out.map(|(source, why)| UploadProblem { what: source.to_owned(), why });
        self.problems.splice(0..0, left_out);
        self.problems.truncate(LISTED_PROBLEMS);
        BatchSummary {
            revision: published.token,
            changed: published.changed,
            received: self.received,
            accepted: self.received - self.rejected,
            rejected: self.rejected,
            problems: self.problems,
            apps: AppCounts {
                total: published.total,
                added: published.added,
                updated: published.updated,
                removed: published.removed,
            },
            labels: Vec::new(),
        }
    }
}
