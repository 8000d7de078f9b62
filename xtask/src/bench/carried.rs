//! The files of the catalog: their sizes, and what they cost a server.

use std::{
    fmt::Write as _,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use serde::Deserialize;

use super::{
    catalog,
    effort::{Effort, LOADING, SERVING},
    figures::median,
    http::Request,
    mirror::look_without_news,
    scratch,
    server::Server,
};
use crate::run::Failure;

const INDEX: &str = "/catalog/index.json";

/// How many times an unchanged index is asked for.
const CONDITIONAL: u32 = 20_000;

/// How often a reader asks while a catalog is published: far more often than a mirror.
const PAUSE: Duration = Duration::from_millis(100);

#[derive(Deserialize)]
struct Index {
    snapshot: File,
    snapshot_gzip: File,
    with_sources: File,
    deltas: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    size: u32,
}

pub(super) fn section(effort: Effort) -> Result<String, Failure> {
    let (store, files) = (scratch()?, scratch()?);
    let server = Server::start(&store, Some(SERVING))?;
    let [newest, older] = catalog::editions()?;
    older.send(&server)?;
    catalog::day_after_older()?.send(&server)?;
    let (made, after_a_day) = first_index(&server)?;
    let day = after_a_day.deltas.first().map_or(0, |delta| delta.size);
    newest.send(&server)?;
    let (_, index) = first_index(&server)?;
    let fortnight = index.deltas.last().map_or(0, |delta| delta.size);

    let etag = server.ask(&Request::get(INDEX))?.etag;
    let conditional = Request::get(INDEX).with("if-none-match", &etag).text();
    let before = server.process.cpu_seconds_at_rest()?;
    server.repeat(&conditional, CONDITIONAL)?;
    let unchanged = (server.process.cpu_seconds_at_rest()? - before) / f64::from(CONDITIONAL);

    let look = look_without_news(&server)?;

    // The newest edition is published, so the older one is next.
    let editions = [older.store(&files, "older")?, newest.store(&files, "newest")?];
    let (mut alone, mut read, mut remade) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..2 * effort.rounds {
        for edition in &editions {
            // Half of the rounds have a reader, who has seen the revision before and waits for the next.
            if round % 2 == 0 {
                alone.push(edition.send_from(LOADING, &server)?);
            } else {
                let (spent, _) = first_index(&server)?;
                remade.push(spent);
                read.push(while_read(&server, || edition.send_from(LOADING, &server))?);
            }
            server.process.cpu_seconds_at_rest()?;
        }
    }
    let kilobytes = |size: u32| f64::from(size) / 1e3;
    let mut text = format!("| The catalog's files ({}) | |\n|---|---:|\n", catalog::kind());
    for (what, size) in [
        ("every record, zstd", index.snapshot.size),
        ("every record, gzip", index.snapshot_gzip.size),
        ("with the documents of the sources", index.with_sources.size),
        ("what changed within a day", day),
        ("what changed within two weeks", fortnight),
    ] {
        let _ = writeln!(text, "| {what} | {:.1} kB |", kilobytes(size));
    }
    let _ = writeln!(text, "| making the files of a revision, CPU time | {made:.2} s |");
    let _ = writeln!(
        text,
        "| the same with many deltas and patches, CPU time | {:.2} s |",
        median(remade)
    );
    let _ = writeln!(text, "| an unchanged index, CPU time | {:.1} µs |", unchanged * 1e6);
    let _ = writeln!(text, "| a mirror's look without news, CPU time | {:.2} ms |", look * 1e3);
    let _ = writeln!(text, "| publishing, nobody reads the files | {:.2} s |", median(alone));
    let _ = writeln!(text, "| publishing while the index is read | {:.2} s |", median(read));
    Ok(text)
}

/// The index of a new revision, and the CPU time of making its files.
fn first_index(server: &Server) -> Result<(f64, Index), Failure> {
    let before = server.process.cpu_seconds_at_rest()?;
    let response = server.ask(&Request::get(INDEX))?;
    let spent = server.process.cpu_seconds_at_rest()? - before;
    let index = serde_json::from_slice(&response.body);
    Ok((spent, index.map_err(|error| Failure(format!("{INDEX}: {error}")))?))
}

/// Runs something while a reader asks for the index.
fn while_read<T>(server: &Server, run: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reading = scope.spawn(|| -> Result<(), Failure> {
            while !ended.load(Ordering::Relaxed) {
                let started = Instant::now();
                server.ask(&Request::get(INDEX))?;
                std::thread::sleep(PAUSE.saturating_sub(started.elapsed()));
            }
            Ok(())
        });
        let result = run();
        ended.store(true, Ordering::Relaxed);
        let joined = reading.join();
        joined.map_err(|_| Failure("the reading thread panicked".to_owned()))??;
        result
    })
}
