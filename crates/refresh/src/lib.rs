//! Refreshing: fetches the files of the upstreams, publishes them as one revision, and runs the labels
//! that compute their values.
//!
//! A source that cannot be fetched, cannot be read or shrinks suspiciously keeps its last good data;
//! the other sources are still published. Nothing is printed here: the command line and the server
//! report the results.

mod fetched_files;
mod file_report;
mod labels;
mod publish;
mod schedule;
mod time_limit;
mod upstream_config;

pub use fetched_files::{FetchPlan, FetchedFile, FetchedFiles, Watch, fetch};
pub use file_report::{FileReport, FileResult, shrinks};
pub use labels::{
    Choice, KnownLabel, KnownLabels, LabelPlan, LabelsDone, LabelsError, PublishedFindings,
    UnknownLabel, finding_lines, publish_findings, run_in_store,
};
pub use publish::{Refreshed, publish};
pub use schedule::{
    LastRefresh, RefreshPhase, RefreshResult, Schedule, ScheduleState, ScheduleStatus,
};
pub use time_limit::TimeLimit;
pub use upstream_config::{ConfigError, UpstreamConfig};
