//! Full refreshes of a catalog that changes each time, and reads during refreshes.

use std::{
    fmt::Write as _,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    time::Duration,
};

use super::{
    catalog,
    comparison::warm_up,
    effort::{Effort, LOADING, SERVING},
    figures::median,
    http::Request,
    load::{Load, Target, Workload},
    scratch,
    server::Server,
    upload::StoredUpload,
};
use crate::run::Failure;

/// The pause of each of the 32 connections, for about 2,000 requests per second in total.
const PAUSE: Duration = Duration::from_millis(16);

/// The factor by which runs during refreshes are longer, because a refresh takes a while.
const LONGER: u32 = 5;

/// A server, and two editions of its catalog to publish in turn.
struct Refreshing {
    server: Server,
    editions: [StoredUpload; 2],
    /// The number of published editions; determines the next one.
    published: AtomicU32,
}

/// Reads under one load, with and without refreshes.
struct Reading {
    name: &'static str,
    idle: Load,
    meanwhile: Load,
    refreshes: f64,
}

pub(super) fn section(effort: Effort) -> Result<String, Failure> {
    let store = scratch()?;
    let files = scratch()?;
    let server = Server::start(&store, Some(SERVING))?;
    catalog::fill(&server)?;
    let (slug, _) = catalog::examples(&server)?;
    let [newest, older] = catalog::editions()?;
    // The newest edition is already published, so the older one is next.
    let editions = [older.store(&files, "older")?, newest.store(&files, "newest")?];
    let refreshing = Refreshing { server, editions, published: AtomicU32::new(0) };

    let mut text = refreshing.alone(effort)?;
    let record = Workload::of(Request::get(&format!("/apps/{slug}")));
    let readings = [
        refreshing.read("about 2,000 per second", &record.clone().with_pauses(PAUSE), effort)?,
        refreshing.read("as many as possible", &record, effort)?,
    ];
    text.push_str("\n| Reads of one record | /s idle | /s refreshing | median idle | refreshing | p99 idle | refreshing | p99 ratio | refreshes |\n");
    text.push_str("|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for reading in readings {
        let _ = writeln!(text, "{}", reading.row());
    }
    Ok(text)
}

impl Refreshing {
    /// Publishes the next edition and returns the time in seconds.
    fn publish(&self) -> Result<f64, Failure> {
        let next = self.published.load(Ordering::Relaxed) % 2;
        let seconds = self.editions[next as usize].send_from(LOADING, &self.server)?;
        self.published.fetch_add(1, Ordering::Relaxed);
        Ok(seconds)
    }

    fn alone(&self, effort: Effort) -> Result<String, Failure> {
        let mut times = Vec::new();
        let mut costs = Vec::new();
        for _ in 0..effort.rounds {
            let before = self.server.process.cpu_seconds_at_rest()?;
            times.push(self.publish()?);
            costs.push(self.server.process.cpu_seconds_at_rest()? - before);
        }
        Ok(format!(
            "| A full refresh | |\n|---|---:|\n| from connecting to the response | {:.2} s |\n| CPU time | {:.2} s |\n",
            median(times),
            median(costs)
        ))
    }

    /// Reads without and with refreshes, in turn.
    fn read(
        &self,
        name: &'static str,
        workload: &Workload,
        effort: Effort,
    ) -> Result<Reading, Failure> {
        let target = Target { address: &self.server.address, process: &self.server.process };
        warm_up(target, workload)?;
        let (mut idle, mut meanwhile, mut refreshes) = (Vec::new(), Vec::new(), Vec::new());
        // Long runs need fewer turns.
        for _ in 0..effort.rounds.min(3) {
            idle.push(workload.run(target, effort.run * 2)?);
            let (load, published) = self.during(|| workload.run(target, effort.run * LONGER))?;
            meanwhile.push(load);
            refreshes.push(f64::from(published));
        }
        let reading = Reading {
            name,
            idle: Load::median(&idle),
            meanwhile: Load::median(&meanwhile),
            refreshes: median(refreshes),
        };
        eprintln!("{}", reading.row());
        Ok(reading)
    }

    /// Runs something while refreshes are published one after another, and counts the refreshes
    /// that were complete before it ended.
    fn during<T>(&self, run: impl FnOnce() -> Result<T, Failure>) -> Result<(T, u32), Failure> {
        let ended = AtomicBool::new(false);
        let before = self.published.load(Ordering::Relaxed);
        std::thread::scope(|scope| {
            let publishing = scope.spawn(|| -> Result<(), Failure> {
                while !ended.load(Ordering::Relaxed) {
                    self.publish()?;
                }
                Ok(())
            });
            let result = run();
            let published = self.published.load(Ordering::Relaxed) - before;
            ended.store(true, Ordering::Relaxed);
            let joined = publishing.join();
            joined.map_err(|_| Failure("the refreshing thread panicked".to_owned()))??;
            Ok((result?, published))
        })
    }
}

impl Reading {
    fn row(&self) -> String {
        let Self { name, idle, meanwhile, refreshes } = self;
        let milliseconds = |microseconds: f64| format!("{:.2} ms", microseconds / 1e3);
        format!(
            "| {name} | {:.0} | {:.0} | {} | {} | {} | {} | {:.2} | {refreshes} |",
            idle.requests_a_second,
            meanwhile.requests_a_second,
            milliseconds(idle.percentile_50),
            milliseconds(meanwhile.percentile_50),
            milliseconds(idle.percentile_99),
            milliseconds(meanwhile.percentile_99),
            meanwhile.percentile_99 / idle.percentile_99,
        )
    }
}
