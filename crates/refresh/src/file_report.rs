//! What became of a file, or of another part of a refresh.

use std::time::Duration;

use appstitch_network::FetchError;
use appstitch_publish::Tally;
use appstitch_sources::Upstream;

#[derive(Debug)]
pub enum FileResult {
    Read(Tally),
    Unchanged,
    /// There is nothing to read, and nothing is expected: another file of the source has more.
    Nothing(String),
    Failed(FetchFailure),
}

/// Why something could not be fetched or read. The address is told beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchFailure {
    pub why: String,
    /// The same for everyone to read: without addresses, and without what only concerns this machine.
    pub public: String,
    /// How long the server asks to wait, if it does.
    pub wait: Option<Duration>,
}

impl FetchFailure {
    /// A reason that everyone may read.
    pub fn new(why: impl Into<String>) -> Self {
        let why = why.into();
        Self { public: why.clone(), why, wait: None }
    }
}

impl From<FetchError> for FetchFailure {
    fn from(error: FetchError) -> Self {
        Self { why: error.reason(), public: error.public_reason(), wait: error.wait() }
    }
}

#[derive(Debug)]
pub struct FileReport {
    pub upstream: Upstream,
    pub address: String,
    pub result: FileResult,
}

impl FileReport {
    pub const fn failed(&self) -> bool {
        matches!(self.result, FileResult::Failed(_))
    }

    pub fn fail_source(reports: &mut [Self], source: &str, why: &str) {
        for report in reports.iter_mut().filter(|report| report.upstream.token() == source) {
            if matches!(report.result, FileResult::Read(_)) {
                report.result = FileResult::Failed(FetchFailure::new(why));
            }
        }
    }
}

/// Why a shrinking source is not published.
pub fn shrinks(removed: usize, present: usize) -> String {
    format!(
        "{removed} of {present} entries would be removed; hint: pass --allow-shrink to remove them"
    )
}
