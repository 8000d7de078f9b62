//! The cost of searches: on the real catalog, and on generated ones of several sizes.

use std::fmt::Write as _;

use super::{
    catalog, effort::Effort, effort::SERVING, figures::with_commas, http::Request, made_up::MadeUp,
    scratch, server::Server,
};
use crate::run::Failure;

/// A search costs at most this many passes over the names of a catalog.
const APPS_PER_QUERY: usize = 20_000_000;

/// The most and the fewest requests that a cost is averaged over.
const MOST_REQUESTS: usize = 4_000;
const FEWEST_REQUESTS: usize = 20;

const REAL: [(&str, &str); 8] = [
    ("exact name", "google+chrome"),
    ("one word", "chrome"),
    ("two words joined", "vs+code"),
    ("bundle identifier", "com.microsoft.VSCode"),
    ("misspelled", "andriod+studio"),
    ("in nearly every bundle identifier", "com"),
    ("one letter", "e"),
    ("nothing found", "qwertyzxcv"),
];

/// Searches of a generated catalog, whose apps are called `Made Up` and a number.
const GENERATED: [(&str, &str); 4] = [
    ("exact name", "made+up+4711"),
    ("misspelled", "maed+up+4711"),
    ("nothing found", "qwertyzxcv"),
    ("in every name", "made"),
];

pub(super) fn section(effort: Effort) -> Result<String, Failure> {
    let mut text = String::from("| Catalog | Search | query | CPU time |\n|---|---|---|---:|\n");
    let store = scratch()?;
    let server = Server::start(&store, Some(SERVING))?;
    catalog::fill(&server)?;
    measure(catalog::kind(), &server, &REAL, MOST_REQUESTS, &mut text)?;
    server.stop()?;
    for apps in effort.searched.iter().copied() {
        let store = scratch()?;
        let server = Server::start(&store, Some(SERVING))?;
        MadeUp::new(apps).upload()?.send(&server)?;
        let name = format!("{} generated apps", with_commas(apps));
        let requests = (APPS_PER_QUERY / apps).clamp(FEWEST_REQUESTS, MOST_REQUESTS);
        measure(&name, &server, &GENERATED, requests, &mut text)?;
        server.stop()?;
    }
    Ok(text)
}

/// Measures searches of a catalog: the CPU time of the server for each, the request included.
fn measure(
    catalog: &str,
    server: &Server,
    searches: &[(&str, &str)],
    requests: usize,
    text: &mut String,
) -> Result<(), Failure> {
    // A server that was just filled still frees memory.
    server.process.cpu_seconds_at_rest()?;
    let requests = u32::try_from(requests).unwrap_or(u32::MAX);
    for (name, query) in searches {
        let request = Request::get(&format!("/search?q={query}")).text();
        server.repeat(&request, requests / 10)?;
        let before = server.process.threads()?;
        server.repeat(&request, requests)?;
        let spent = server.process.threads()?.nanoseconds_since(&before);
        #[expect(clippy::cast_precision_loss, reason = "a figure with one decimal")]
        let cost = spent as f64 / f64::from(requests) / 1e3;
        let query = query.replace('+', " ");
        let _ = writeln!(text, "| {catalog} | {name} | `{query}` | {cost:.0} µs |");
    }
    Ok(())
}
