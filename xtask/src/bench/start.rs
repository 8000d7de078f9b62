//! Starting on a stored catalog: the time to the first response, and the memory.

use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{
    catalog::{self, Stored},
    effort::{Effort, SERVING},
    figures::{median, megabytes},
    http::Request,
    process::Memory,
    scratch,
    server::{Server, SnapshotBytes},
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
pub(super) fn first_response(store: &TempDir, request: &Request) -> Result<Started, Failure> {
    let begin = Instant::now();
    let server = Server::start(store, Some(SERVING))?;
    server.ask(request)?;
    let seconds = begin.elapsed().as_secs_f64();
    let memory = server.process.memory()?;
    Ok(Started { server, seconds, memory })
}

pub(super) fn empty_server() -> Result<Memory, Failure> {
    let store = scratch()?;
    Ok(first_response(&store, &Request::get("/health"))?.memory)
}

pub(super) fn section(effort: Effort) -> Result<String, Failure> {
    let Stored { store, slug, .. } = catalog::stored()?;
    let request = Request::get(&format!("/apps/{slug}"));
    let mut seconds = Vec::new();
    for _ in 0..effort.rounds {
        let started = first_response(&store, &request)?;
        seconds.push(started.seconds);
        started.server.stop()?;
    }
    let Started { server, memory, .. } = first_response(&store, &request)?;
    let catalog = server.snapshot_bytes()?;
    let [_, older] = catalog::editions()?;
    older.send(&server)?;
    std::thread::sleep(SETTLING);
    let refreshed = server.process.memory()?;
    let figures = Figures {
        first_response: median(seconds),
        started: memory,
        refreshed,
        empty: empty_server()?,
        catalog,
    };
    Ok(figures.table())
}

struct Figures {
    first_response: f64,
    started: Memory,
    refreshed: Memory,
    empty: Memory,
    catalog: SnapshotBytes,
}

impl Figures {
    fn table(&self) -> String {
        let Self { first_response, started, refreshed, empty, catalog } = self;
        let served = |bytes: f64| format!("{:.1} MB", bytes / 1e6);
        let beyond_empty = started.resident.saturating_sub(empty.resident);
        let rows = [
            ("from start to the first response", format!("{:.0} ms", first_response * 1e3)),
            ("memory after the first response", megabytes(started.resident)),
            ("peak memory until then", megabytes(started.peak)),
            ("memory after a full refresh", megabytes(refreshed.resident)),
            ("peak memory, including the refresh", megabytes(refreshed.peak)),
            ("memory of an empty server", megabytes(empty.resident)),
            ("served bytes", served(catalog.served)),
            ("indexes", served(catalog.indexes)),
            ("memory / (served bytes + indexes)", ratio(started.resident, *catalog)),
            ("the same, minus an empty server", ratio(beyond_empty, *catalog)),
        ];
        let rows = rows.map(|(name, figure)| format!("| {name} | {figure} |\n"));
        format!("| Stored catalog | |\n|---|---:|\n{}", rows.concat())
    }
}

/// Memory divided by the size of the catalog according to the server's metrics.
pub(super) fn ratio(bytes: u64, catalog: SnapshotBytes) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a figure with two decimals")]
    let bytes = bytes as f64;
    format!("{:.2}", bytes / catalog.total())
}
