//! How costs grow with the catalog: what should stay flat, and what goes with its size.

use std::fmt::Write as _;

use super::{
    comparison::warm_up,
    effort::{Effort, SERVING},
    figures::{megabytes, with_commas},
    http::Request,
    load::{Asking, Load, Target},
    made_up::MadeUp,
    metrics::SnapshotBytes,
    plot::Line,
    process::Memory,
    scratch::Scratch,
    server::Server,
    start::{self, Started, first_answer},
};
use crate::run::Failure;

/// How many different records are looked up in turn.
const LOOKUPS: usize = 5_000;

/// Spreads the lookups over the catalog: a prime that divides none of the sizes.
const STRIDE: usize = 7_919;

/// What is read, in the order of the table's columns.
const READS: [&str; 6] = [
    "lookup",
    "page of 100, first",
    "page of 100, last",
    "page of 1000",
    "100 of a source",
    "100 of a vendor",
];

/// A catalog of one size.
struct Size {
    apps: usize,
    publishing_seconds: f64,
    start_seconds: f64,
    memory: Memory,
    catalog: Option<SnapshotBytes>,
    /// The CPU time of each of the `READS`, in microseconds.
    reads: [f64; READS.len()],
}

/// All that is known about growth.
pub(super) struct Growth {
    sizes: Vec<Size>,
    empty: Memory,
}

/// Measures every size.
pub(super) fn measure(effort: Effort) -> Result<Growth, Failure> {
    let sizes = effort.sizes.iter().map(|apps| {
        let size = size(*apps, effort)?;
        eprintln!("{} apps: {:.1} s to publish", with_commas(*apps), size.publishing_seconds);
        Ok(size)
    });
    Ok(Growth { sizes: sizes.collect::<Result<_, Failure>>()?, empty: start::empty_server()? })
}

fn size(apps: usize, effort: Effort) -> Result<Size, Failure> {
    let store = Scratch::new()?;
    let publishing_seconds = publish(apps, &store)?;
    let first = Request::get(&format!("/apps/{}", MadeUp::slug(apps / 2)));
    let Started { server, seconds, memory } = first_answer(&store, &first)?;
    let catalog = server.snapshot_bytes()?;
    let target = Target { address: &server.address, process: &server.process };
    let mut reads = [0.0; READS.len()];
    for (cost, asking) in reads.iter_mut().zip(askings(apps)) {
        warm_up(target, &asking)?;
        // The processor time hardly differs from run to run.
        let runs = (0..effort.turns.min(3)).map(|_| asking.run(target, effort.seconds));
        *cost = Load::median(&runs.collect::<Result<Vec<_>, Failure>>()?).cpu;
    }
    Ok(Size { apps, publishing_seconds, start_seconds: seconds, memory, catalog, reads })
}

/// Publishes a catalog into a store and returns the processor time.
fn publish(apps: usize, store: &Scratch) -> Result<f64, Failure> {
    let upload = MadeUp::new(apps).upload()?;
    let server = Server::start(store, Some(SERVING))?;
    let idle = server.process.cpu_seconds()?;
    upload.send(&server)?;
    let seconds = server.process.cpu_seconds_at_rest()? - idle;
    server.stop()?;
    Ok(seconds)
}

fn askings(apps: usize) -> [Asking; READS.len()] {
    let page = |query: &str| Asking::of(Request::get(&format!("/apps{query}")));
    let slugs = (0..LOOKUPS).map(|turn| MadeUp::slug(turn * STRIDE % apps));
    [
        Asking::in_turn(slugs.map(|slug| format!("/apps/{slug}")).collect()),
        page(""),
        page(&format!("?offset={}", apps - 100)),
        page("?limit=1000"),
        page("?source=recipe_index"),
        page(&format!("?vendor={}", MadeUp::vendor(0))),
    ]
}

impl Size {
    #[expect(clippy::cast_precision_loss, reason = "a million has few digits")]
    fn apps(&self) -> f64 {
        self.apps as f64
    }

    fn publishing_per_app(&self) -> f64 {
        self.publishing_seconds / self.apps() * 1e6
    }
}

impl Growth {
    /// The tables.
    pub(super) fn section(&self) -> String {
        let mut text = String::from(
            "| Apps | publishing, CPU | per app | start to first answer | memory | to served bytes and indexes | less an empty server |\n|---:|---:|---:|---:|---:|---:|---:|\n",
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

    /// The costs that are drawn: apps and microseconds.
    pub(super) fn lines(&self) -> Vec<Line> {
        let line = |name: &str, cost: &dyn Fn(&Size) -> f64| Line {
            name: name.to_owned(),
            points: self.sizes.iter().map(|size| (size.apps(), cost(size))).collect(),
        };
        vec![
            line("publishing, per app", &Size::publishing_per_app),
            line("a page of 100, the last", &|size| size.reads[2]),
            line("a lookup of one record", &|size| size.reads[0]),
        ]
    }
}
