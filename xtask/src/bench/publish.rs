//! The cost of publishing the real files, and of a tool call compared with the plain route.

use std::fmt::Write as _;

use super::{
    catalog, figures::megabytes, http::Request, made_up::MadeUp, scratch::Scratch, server::Server,
    upload::Upload,
};
use crate::run::Failure;

/// The number of requests that a cost is averaged over.
const REQUESTS: u32 = 20_000;

/// Measures everything and returns the tables.
pub(super) fn section() -> Result<String, Failure> {
    Ok(format!("{}{}", real_files()?, tools()?))
}

/// The cost of each kind of upload.
fn real_files() -> Result<String, Failure> {
    let (Some(files), Some(older)) = (catalog::real_files(), catalog::older_casks()) else {
        eprintln!("skipped: the upstreams' real files are not available");
        return Ok(String::new());
    };
    let all = Upload::new(&files);
    let older = Upload::new(&[("cask_catalog", older)]);
    let store = Scratch::new()?;
    let server = Server::start(&store, None)?;
    let mut text =
        String::from("| Real files | CPU time | peak memory | response |\n|---|---:|---:|---|\n");
    // The first upload includes the start of the process.
    let mut before = 0.0;
    for (name, upload) in [
        ("all files, cold process", &all),
        ("the same files again", &all),
        ("the casks from two weeks earlier", &older),
    ] {
        let summary = upload.send(&server)?;
        let after = server.process.cpu_seconds_at_rest()?;
        let peak = megabytes(server.process.memory()?.peak);
        let seconds = after - before;
        let _ = writeln!(text, "| {name} | {seconds:.2} s | {peak} | {} |", counts(&summary));
        before = after;
    }
    text.push('\n');
    Ok(text)
}

/// The cost of a tool call compared with the plain route for the same record.
fn tools() -> Result<String, Failure> {
    let store = Scratch::new()?;
    let server = Server::start(&store, None)?;
    MadeUp::new(5_000).upload()?.send(&server)?;
    let slug = MadeUp::slug(7);
    let plain = Request::get(&format!("/apps/{slug}"));
    let mut text = format!(
        "| One record, {REQUESTS} requests over one connection | CPU time each | ratio |\n|---|---:|---:|\n"
    );
    let mut first = None;
    for (name, request) in [("plain route", plain), ("tool call", Request::tool_call(&slug))] {
        let request = request.text();
        // First a warm-up, then the measurement.
        server.repeat(&request, REQUESTS / 10)?;
        let before = server.process.threads()?;
        server.repeat(&request, REQUESTS)?;
        let spent = server.process.threads()?.nanoseconds_since(&before);
        #[expect(clippy::cast_precision_loss, reason = "a figure with one decimal")]
        let cost = spent as f64 / f64::from(REQUESTS) / 1e3;
        let ratio = cost / *first.get_or_insert(cost);
        let _ = writeln!(text, "| {name} | {cost:.1} µs | {ratio:.2} |");
    }
    Ok(text)
}

/// The changes that a summary reports.
fn counts(summary: &str) -> String {
    let apps = summary.split("\"apps\":{").nth(1).and_then(|rest| rest.split('}').next());
    let changed = if summary.contains("\"changed\":true") { "changed" } else { "unchanged" };
    format!("{changed}, {}", apps.unwrap_or_default().replace('"', "").replace(',', ", "))
}
