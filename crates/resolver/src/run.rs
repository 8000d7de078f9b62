//! Runs many labels side by side.

use std::{collections::HashMap, sync::Arc};

use appstitch_labels::{Architecture, NoTrace, Stopped, asks_architecture};
use appstitch_store::Store;
use jiff::Timestamp;
use tokio::task::{Id, JoinSet};

use crate::{
    ResolverError,
    label::{ArchitectureRun, LabelRun, LabelToRun, RunReport, mac_today, run_on},
    label_network::LabelNetwork,
    live::LiveNetwork,
    options::LiveOptions,
    order::oldest_first,
    remember::last_run,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub total: usize,
    pub running: usize,
    pub finished: usize,
    pub requests_sent: u64,
}

#[derive(Debug, Clone, Copy)]
pub enum Event<'r> {
    Started { name: &'r str, counts: Counts },
    Finished { run: &'r LabelRun, counts: Counts },
}

/// Runs labels, oldest first. When the time limit is over, or when it turns out that there is no
/// network, no further label is started and the running ones are stopped. The same happens when this future is dropped.
///
/// With a store, answers are kept for conditional requests in the next run. The store's edition does
/// not change. The times of the runs are left to the caller, in [`RunReport::last_runs`]. `observer`
/// is called on the thread that polls this future, so it must not block.
pub async fn run_labels(
    labels: Vec<LabelToRun>,
    options: LiveOptions,
    cache: Option<Store>,
    observer: &(dyn Fn(Event<'_>) + Sync),
) -> Result<RunReport, ResolverError> {
    run_labels_until(std::future::pending(), labels, options, cache, observer).await
}

/// Like [`run_labels`], but the time is also over when `end` is ready.
pub async fn run_labels_until(
    end: impl Future<Output = ()>,
    labels: Vec<LabelToRun>,
    options: LiveOptions,
    cache: Option<Store>,
    observer: &(dyn Fn(Event<'_>) + Sync),
) -> Result<RunReport, ResolverError> {
    let network = LiveNetwork::new(options, cache)?;
    let mut report = run_on_network(end, labels, &network, observer).await;
    report.network = network.finish().await;
    Ok(report)
}

async fn run_on_network(
    end: impl Future<Output = ()>,
    mut labels: Vec<LabelToRun>,
    network: &LiveNetwork,
    observer: &(dyn Fn(Event<'_>) + Sync),
) -> RunReport {
    labels.sort_by(oldest_first);
    let options = network.options();
    let at_once = options.labels_at_once.max(1);
    let mut counts = Counts { total: labels.len(), ..Counts::default() };
    let mut report = RunReport::default();
    let mut left = Vec::new();
    let mut waiting = labels.into_iter().map(Arc::new);
    let mut running = JoinSet::new();
    let mut labels_by_task: HashMap<Id, Arc<LabelToRun>> = HashMap::new();
    let _stop = StopOnDrop(network);
    let mut is_over = options.time_limit.is_zero();
    let time = async {
        tokio::select! {
            () = tokio::time::sleep(options.time_limit) => {}
            () = end => {}
        }
    };
    tokio::pin!(time);
    loop {
        while !is_over
            && !network.is_stopped()
            && running.len() < at_once
            && let Some(label) = waiting.next()
        {
            let label_to_run = Arc::clone(&label);
            let own_network = network.for_label();
            let task = running.spawn_blocking(move || run_label(&label_to_run, own_network));
            counts.running = running.len();
            counts.requests_sent = network.requests_sent();
            observer(Event::Started { name: &label.name, counts });
            labels_by_task.insert(task.id(), label);
        }
        let joined = tokio::select! {
            () = &mut time, if !is_over => {
                is_over = true;
                network.stop();
                continue;
            }
            joined = running.join_next_with_id() => joined,
        };
        let (id, run) = match joined {
            None => break,
            Some(Ok((id, run))) => (id, Some(run)),
            Some(Err(error)) => (error.id(), None),
        };
        let Some(label) = labels_by_task.remove(&id) else { continue };
        let Finished { run, is_recorded, was_limited } = match run {
            Some(Some(finished)) => finished,
            Some(None) => {
                left.push(label);
                continue;
            }
            // The thread panicked. The other labels are not affected.
            None => failed(&label),
        };
        if !is_recorded {
            report.unrecorded.push(run.name.clone());
        }
        report.last_runs.push(last_run(&run, was_limited));
        counts.running = running.len();
        counts.finished += 1;
        counts.requests_sent = network.requests_sent();
        observer(Event::Finished { run: &run, counts });
        report.runs.push(run);
    }
    left.extend(waiting);
    left.sort_by(|one, other| oldest_first(one, other));
    report.left = left.iter().map(|label| label.name.clone()).collect();
    report.unrecorded.sort();
    report.last_runs.sort_by(|one, other| one.file.cmp(&other.file));
    report.runs.sort_by(|one, other| (&one.name, &one.file).cmp(&(&other.name, &other.file)));
    report
}

struct StopOnDrop<'n>(&'n LiveNetwork);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

struct Finished {
    run: LabelRun,
    is_recorded: bool,
    was_limited: bool,
}

/// Runs one label, on a thread that may block. `None` if it was stopped.
fn run_label(label: &LabelToRun, mut network: LabelNetwork) -> Option<Finished> {
    let started_at = Timestamp::now();
    let mut on = |architecture| {
        let mac = mac_today(architecture, started_at);
        let budget = network.budget();
        run_on(&mac, &label.name, &label.text, &mut network, budget, &mut NoTrace)
    };
    let arm64 = on(Architecture::Arm64);
    let i386 = asks_architecture(&label.text).then(|| on(Architecture::I386));
    // What is unknown now may be so because of the stop.
    let is_whole = |run: &ArchitectureRun| run.download_url.is_ok() && run.app_new_version.is_ok();
    if network.is_stopped() && ![Some(&arm64), i386.as_ref()].into_iter().flatten().all(is_whole) {
        return None;
    }
    let LabelToRun { file, name, text, .. } = label.clone();
    let was_limited = network.was_limited();
    let exchanges = network.into_exchanges();
    let is_recorded = exchanges.is_some();
    let exchanges = exchanges.unwrap_or_default();
    let run = LabelRun { file, name, text, started_at, arm64, i386, exchanges };
    Some(Finished { run, is_recorded, was_limited })
}

fn failed(label: &LabelToRun) -> Finished {
    let why = Stopped::Unsupported("the interpreter failed".to_owned());
    let LabelToRun { file, name, text, .. } = label.clone();
    let arm64 = ArchitectureRun::stopped(&why);
    let started_at = Timestamp::now();
    let exchanges = Vec::new();
    let run = LabelRun { file, name, text, started_at, arm64, i386: None, exchanges };
    Finished { run, is_recorded: true, was_limited: false }
}
