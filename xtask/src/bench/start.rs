//! Starting on a stored catalog: the time to the first response, and the memory.

use std::time::{Duration, Instant};

use super::{
    catalog::{self, Stored},
    effort::{Effort, SERVING},
    figures::{median, megabytes, or_dash},
    http::Request,
    metrics::SnapshotBytes,
    process::Memory,
    scratch::Scratch,
    server::Server,
};
use crate::run::Failure;

/// How long to wait for the memory of a refresh to be freed.
const SETTLING: Duration = Duration::from_secs(2);

/// A server after its first response.
pub(super) struct Started {
    pub(super) server: Server,
    /// From the start of the process to the end of the response.
    pub(super) seconds: f64,
    pub(super) memory: Memory,
}

/// Starts a server on the store in a folder, and sends one request.
pub(super) fn first_answer(store: &Scratch, request: &Request) -> Result<Started, Failure> {
    let begin = Instant::now();
    let server = Server::start(store, Some(SERVING))?;
    server.ask(request)?;
    let seconds = begin.elapsed().as_secs_f64();
    let memory = server.process.memory()?;
    Ok(Started { server, seconds, memory })
}

/// The memory of a server without a catalog.
pub(super) fn empty_server() -> Result<Memory, Failure> {
    let store = Scratch::new()?;
    Ok(first_answer(&store, &Request::get("/health"))?.memory)
}

/// Measures everything and returns the table.
pub(super) fn section(effort: Effort) -> Result<String, Failure> {
    let Stored { store, slug, .. } = catalog::stored()?;
    let request = Request::get(&format!("/apps/{slug}"));
    let mut seconds = Vec::new();
    for _ in 0..effort.rounds {
        let started = first_answer(&store, &request)?;
        seconds.push(started.seconds);
        started.server.stop()?;
    }
    let Started { server, memory, .. } = first_answer(&store, &request)?;
    let catalog = server.snapshot_bytes()?;
    let [_, older] = catalog::editions()?;
    older.send(&server)?;
    std::thread::sleep(SETTLING);
    let refreshed = server.process.memory()?;
    let figures = Figures {
        first_answer: median(seconds),
        started: memory,
        refreshed,
        empty: empty_server()?,
        catalog,
    };
    Ok(figures.table())
}

struct Figures {
    first_answer: f64,
    started: Memory,
    refreshed: Memory,
    empty: Memory,
    catalog: Option<SnapshotBytes>,
}

impl Figures {
    fn table(&self) -> String {
        let Self { first_answer, started, refreshed, empty, catalog } = self;
        let served = |bytes: fn(SnapshotBytes) -> f64| {
            or_dash(catalog.map(|catalog| format!("{:.1} MB", bytes(catalog) / 1e6)))
        };
        let beyond_empty = started.resident.saturating_sub(empty.resident);
        let rows = [
            ("from start to the first response", format!("{:.0} ms", first_answer * 1e3)),
            ("memory after the first response", megabytes(started.resident)),
            ("peak memory until then", megabytes(started.peak)),
            ("memory after a full refresh", megabytes(refreshed.resident)),
            ("peak memory, including the refresh", megabytes(refreshed.peak)),
            ("memory of an empty server", megabytes(empty.resident)),
            ("served bytes", served(|catalog| catalog.served)),
            ("indexes", served(|catalog| catalog.indexes)),
            ("memory / (served bytes + indexes)", ratio(started.resident, *catalog)),
            ("the same, minus an empty server", ratio(beyond_empty, *catalog)),
        ];
        let rows = rows.map(|(name, figure)| format!("| {name} | {figure} |\n"));
        format!("| Stored catalog | |\n|---|---:|\n{}", rows.concat())
    }
}

/// Memory divided by the size of the catalog according to the server's metrics.
pub(super) fn ratio(bytes: u64, catalog: Option<SnapshotBytes>) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a figure with two decimals")]
    let bytes = bytes as f64;
    or_dash(catalog.map(|catalog| format!("{:.2}", bytes / catalog.total())))
}
