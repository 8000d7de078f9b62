//! How costs grow with the catalog: reads should stay constant, publishing is proportional to its
//! size.

use std::fmt::Write as _;

use tempfile::TempDir;

use super::{
    comparison::{Side, take_turns},
    effort::{Effort, SERVING},
    figures::{median, megabytes, with_commas},
    http::Request,
    load::{Load, Target, Workload},
    made_up::MadeUp,
    process::Memory,
    scratch,
    server::{Server, SnapshotBytes},
    start::{self, first_response},
};
use crate::run::Failure;

const LOOKUPS: usize = 5_000;

/// Spreads the lookups over the catalog; a prime that divides none of the sizes.
const STRIDE: usize = 7_919;

/// Larger catalogs are published only once, because that takes minutes.
const MOST_REPEATED: usize = 100_000;

/// The measured reads, in the order of the table's columns.
const READS: [&str; 6] = [
    "lookup", "page of 100, first", "page of 100, last", "page of 1000", "100 of a source",
    "100 of a vendor",
];

struct Size {
    apps: usize,
    publishing_seconds: f64,
    start_seconds: f64,
    memory: Memory,
    catalog: SnapshotBytes,
    /// The CPU time of each of the `READS`, in microseconds.
    reads: [f64; READS.len()],
}

pub(super) struct Growth {
    sizes: Vec<Size>,
    empty: Memory,
}

/// Measures every size. All sizes take turns, because the machine's speed changes from minute to
/// minute.
pub(super) fn measure(effort: Effort) -> Result<Growth, Failure> {
    let published = publish_all(effort)?;
    let mut sizes = Vec::new();
    let mut servers = Vec::new();
    for Published { apps, store, seconds } in &published {
        let first = Request::get(&format!("/apps/{}", MadeUp::slug(apps / 2)));
        let started = first_response(store, &first)?;
        sizes.push(Size {
            apps: *apps,
            publishing_seconds: median(seconds.iter().copied()),
            start_seconds: started.seconds,
            memory: started.memory,
            catalog: started.server.snapshot_bytes()?,
            reads: [0.0; READS.len()],
        });
        servers.push(started.server);
    }
    for read in 0..READS.len() {
        let workloads: Vec<Workload> =
            sizes.iter().map(|size| workloads(size.apps)[read].clone()).collect();
        let targets = servers
            .iter()
            .map(|server| Target { address: &server.address, process: &server.process });
        let sides: Vec<Side<'_>> = targets.zip(&workloads).collect();
        for (size, runs) in sizes.iter_mut().zip(take_turns(effort, &sides)?) {
            size.reads[read] = Load::median(&runs).cpu;
        }
    }
    Ok(Growth { sizes, empty: start::empty_server()? })
}

/// A store with a catalog, and the CPU time of each time it was published.
struct Published {
    apps: usize,
    store: TempDir,
    seconds: Vec<f64>,
}

/// Publishes all sizes; the smaller ones several times.
fn publish_all(effort: Effort) -> Result<Vec<Published>, Failure> {
    let mut all = Vec::<Published>::new();
    for round in 0..effort.rounds {
        for (position, apps) in effort.sizes.iter().copied().enumerate() {
            if round > 0 && apps > MOST_REPEATED {
                continue;
            }
            let store = scratch()?;
            let seconds = publish(apps, &store)?;
            eprintln!("{} apps: {seconds:.1} s to publish", with_commas(apps));
            match all.get_mut(position) {
                Some(published) => published.seconds.push(seconds),
                None => all.push(Published { apps, store, seconds: vec![seconds] }),
            }
        }
    }
    Ok(all)
}

/// Publishes a catalog to a store and returns the CPU time in seconds.
fn publish(apps: usize, store: &TempDir) -> Result<f64, Failure> {
    let upload = MadeUp::new(apps).upload()?;
    let server = Server::start(store, Some(SERVING))?;
    let idle = server.process.cpu_seconds()?;
    upload.send(&server)?;
    let seconds = server.process.cpu_seconds_at_rest()? - idle;
    server.stop()?;
    Ok(seconds)
}

fn workloads(apps: usize) -> [Workload; READS.len()] {
    let page = |query: &str| Workload::of(Request::get(&format!("/apps{query}")));
    let slugs = (0..LOOKUPS).map(|turn| MadeUp::slug(turn * STRIDE % apps));
    [
        Workload::in_turn(slugs.map(|slug| format!("/apps/{slug}")).collect()),
        page(""),
        page(&format!("?offset={}", apps - 100)),
        page("?limit=1000"),
        page("?source=recipe_index"),
        page(&format!("?vendor={}", MadeUp::vendor(0))),
    ]
}

impl Size {
    #[expect(clippy::cast_precision_loss, reason = "up to a million is exact")]
    fn apps(&self) -> f64 {
        self.apps as f64
    }

    fn publishing_per_app(&self) -> f64 {
        self.publishing_seconds / self.apps() * 1e6
    }
}

impl Growth {
    pub(super) fn section(&self) -> String {
        let mut text = String::from(
            "| Apps | publishing, CPU | per app | start to first response | memory | memory / (served bytes + indexes) | minus an empty server |\n|---:|---:|---:|---:|---:|---:|---:|\n",
        );
        for size in &self.sizes {
            let beyond_empty = size.memory.resident.saturating_sub(self.empty.resident);
            let _ = writeln!(
                text,
                "| {} | {:.2} s | {:.1} µs | {:.2} s | {} | {} | {} |",
                with_commas(size.apps),
                size.publishing_seconds,
                size.publishing_per_app(),
                size.start_seconds,
                megabytes(size.memory.resident),
                start::ratio(size.memory.resident, size.catalog),
                start::ratio(beyond_empty, size.catalog),
            );
        }
        let _ = writeln!(text, "\n| CPU time of a read | {} |", READS.join(" | "));
        let _ = writeln!(text, "|---:{}|", "|---:".repeat(READS.len()));
        for size in &self.sizes {
            let costs = size.reads.map(|cost| format!("{cost:.1} µs"));
            let _ = writeln!(text, "| {} | {} |", with_commas(size.apps), costs.join(" | "));
        }
        text
    }
}
