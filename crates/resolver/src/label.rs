//! A label before and after its run.

use appstitch_labels::{
    Architecture, Budget, Exchange, Mac, Network, Stopped, Trace, resolve_and_trace,
};
use appstitch_store::StoredLabelRun;
use jiff::Timestamp;

use crate::network_report::NetworkReport;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelToRun {
    /// It identifies the label.
    pub file: String,
    pub name: String,
    pub text: String,
    /// When this text was last run; `None` if never. See [`with_last_runs`](crate::with_last_runs).
    pub last_run: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelRun {
    pub file: String,
    pub name: String,
    pub text: String,
    pub started_at: Timestamp,
    pub arm64: ArchitectureRun,
    /// The values on a Mac with an Intel processor; `None` if the label does not ask for the
    /// architecture, so that they are those of `arm64`.
    pub i386: Option<ArchitectureRun>,
    /// The answers that the label got, each request once, if recording is on. A request that failed
    /// has no answer. Cookies and the token are left out.
    pub exchanges: Vec<Exchange>,
}

impl LabelRun {
    pub fn intel(&self) -> &ArchitectureRun {
        self.i386.as_ref().unwrap_or(&self.arm64)
    }
}

/// What running a label gave for one architecture. Blanks and line ends around values are removed.
/// The values are as the label computed them and may be junk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchitectureRun {
    /// The download address, or why it is unknown. `Ok(None)` if the label does not set it; it may
    /// also be empty.
    pub download_url: Result<Option<String>, Stopped>,
    /// The version, in the same way.
    pub app_new_version: Result<Option<String>, Stopped>,
    pub requests: usize,
}

impl ArchitectureRun {
    pub(crate) fn stopped(why: &Stopped) -> Self {
        Self { download_url: Err(why.clone()), app_new_version: Err(why.clone()), requests: 0 }
    }
}

#[derive(Debug, Clone, Default)]
pub struct RunReport {
    /// The labels that were run, ordered by name and file.
    pub runs: Vec<LabelRun>,
    /// The names of the labels that were not run, or not to their end, because the time was over.
    /// They come first in the next run.
    pub left: Vec<String>,
    /// The names of the labels whose answers are not in their runs, because there are too many bytes
    /// of recorded answers.
    pub unrecorded: Vec<String>,
    /// What a store should remember about the runs, ordered by file. Write it when the findings are
    /// published: labels whose findings are lost must count as not run.
    pub last_runs: Vec<StoredLabelRun>,
    pub network: NetworkReport,
}

/// Runs a label on a Mac. The network may be live or recorded.
pub fn run_on(
    mac: &Mac,
    name: &str,
    text: &str,
    network: &mut dyn Network,
    budget: Budget,
    trace: &mut dyn Trace,
) -> ArchitectureRun {
    let resolved = match resolve_and_trace(text, name, mac, network, budget, trace) {
        Ok(resolved) => resolved,
        Err(why) => return ArchitectureRun::stopped(&why),
    };
    let value = |variable: &str| match resolved.value(variable) {
        None => Ok(None),
        Some(Ok(text)) => Ok(Some(text.to_owned())),
        Some(Err(why)) => Err(why.clone()),
    };
    ArchitectureRun {
        download_url: value("downloadURL"),
        app_new_version: value("appNewVersion"),
        requests: resolved.requests.len(),
    }
}

pub fn mac_today(architecture: Architecture, now: Timestamp) -> Mac {
    let day = now.to_zoned(jiff::tz::TimeZone::UTC).date();
    let number = |value: i8| u8::try_from(value).unwrap_or(1);
    let year = u16::try_from(day.year()).unwrap_or_default();
    let mut mac = Mac::new(architecture);
    mac.day = (year, number(day.month()), number(day.day()));
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_sees_the_day_of_its_run() {
        let mac = mac_today(Architecture::I386, "2027-03-05T23:59:59Z".parse().unwrap());
        assert_eq!((mac.day, mac.architecture), ((2027, 3, 5), Architecture::I386));
    }
}
