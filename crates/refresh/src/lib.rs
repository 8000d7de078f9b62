//! Refreshing: fetches the files of the upstreams, publishes them as one revision, and runs the labels
//! that compute their values.
//!
//! A source that cannot be fetched, cannot be read or shrinks suspiciously keeps its last good data;
//! the other sources are still published. Nothing is printed here: the command line and the server
//! report the results.

mod api_client;
mod due;
mod fetched_files;
mod file_report;
mod interfaces;
mod labels;
mod publish;
mod remembered;
mod schedule;
mod source_results;
mod store_lookup;
mod time_limit;
mod titles_server;
mod upstream_config;

pub use api_client::{RequestError, RequestLimits};
pub use appstitch_resolver::Secret;
pub use appstitch_store::SourceRefresh;
pub use fetched_files::{FetchPlan, FetchedFile, FetchedFiles, Watch, fetch};
pub use file_report::{FetchFailure, FileReport, FileResult, shrinks};
pub use labels::{
    Choice, KnownLabel, KnownLabels, LabelPlan, LabelsDone, LabelsError, PublishedFindings,
    UnknownLabel, finding_lines, publish_findings, run_in_store,
};
pub use publish::{Refreshed, preview, publish};
pub use remembered::{Remembered, RememberedError, remember};
pub use schedule::{
    LastRefresh, MirrorSchedule, RefreshPhase, RefreshResult, Schedule, ScheduleState,
    ScheduleStatus,
};
pub use source_results::Attempts;
pub use store_lookup::{
    EarlierListings, ListingMemory, LookedUp, LookupError, StoreLookup, look_up,
};
pub use time_limit::TimeLimit;
pub use titles_server::{
    Asked, EarlierTitles, FailedDetails, Sweep, SweepError, Titles, TitlesServer, sweep,
};
pub use upstream_config::{
    ConfigError, SHORTEST_INTERVAL, SecretError, SecretPlace, TitlesSettings, UpstreamConfig,
    parse_duration,
};
