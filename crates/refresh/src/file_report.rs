use appstitch_publish::Tally;
use appstitch_sources::Upstream;

#[derive(Debug)]
pub enum FileResult {
    Read(Tally),
    Unchanged,
    Failed(String),
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
                report.result = FileResult::Failed(why.to_owned());
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
