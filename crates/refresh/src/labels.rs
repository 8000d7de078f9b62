//! The labels that compute their values: which are run, and what is published of their findings.

mod choice;
mod findings;
mod in_store;
mod known_labels;

pub use choice::{Choice, UnknownLabel};
pub use findings::{PublishedFindings, lines as finding_lines};
pub use in_store::{LabelPlan, LabelsDone, LabelsError, publish_findings, run_in_store};
pub use known_labels::{KnownLabel, KnownLabels};
