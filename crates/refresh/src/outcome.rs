//! What became of each file.

use appstitch_publish::Tally;
use appstitch_sources::Upstream;

/// What became of a file.
#[derive(Debug)]
pub enum FileOutcome {
    /// Fetched and parsed.
    Read(Tally),
    /// The same as last time.
    Unchanged,
    /// Not published; the reason.
    Failed(String),
}

/// A file and what became of it.
#[derive(Debug)]
pub struct FileReport {
    /// Its source.
    pub upstream: Upstream,
    /// Its URL.
    pub address: String,
    /// What became of it.
    pub outcome: FileOutcome,
}

impl FileReport {
    /// Whether it is not published.
    #[must_use]
    pub const fn failed(&self) -> bool {
        matches!(self.outcome, FileOutcome::Failed(_))
    }

    /// Marks the files of a source as failed, although they were read.
    pub fn fail_source(reports: &mut [Self], source: &str, why: &str) {
        for report in reports.iter_mut().filter(|report| report.upstream.token() == source) {
            if matches!(report.outcome, FileOutcome::Read(_)) {
                report.outcome = FileOutcome::Failed(why.to_owned());
            }
        }
    }
}

/// Why a shrinking source is not published.
#[must_use]
pub fn shrinks(removed: usize, present: usize) -> String {
    format!(
        "{removed} of {present} entries would be removed; hint: pass --allow-shrink to remove them"
    )
}
