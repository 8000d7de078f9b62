//! A small test upstream, and helpers to refresh from it.

use std::{
    collections::HashMap,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use appstitch_upstreams::{Reply, Request, TestHost};
use serde_json::{Value, json};

/// An upstream that serves a body with an entity tag at each path, and counts the responses.
pub(crate) struct Upstream {
    pub(crate) base: String,
    bodies: Arc<Mutex<HashMap<String, Vec<u8>>>>,
    full_responses: Arc<AtomicUsize>,
}

impl Upstream {
    /// Serves a body at every path without its own body, except `/missing`.
    pub(crate) fn start(body: impl Into<Vec<u8>>) -> Self {
        let bodies = HashMap::from([(String::new(), body.into())]);
        let bodies = Arc::new(Mutex::new(bodies));
        let full_responses = Arc::new(AtomicUsize::new(0));
        let (served, count) = (Arc::clone(&bodies), Arc::clone(&full_responses));
        let host = TestHost::start(move |request| {
            let body = {
                let bodies = served.lock().unwrap();
                bodies.get(request.path()).or_else(|| bodies.get("")).cloned().unwrap_or_default()
            };
            response(request, body, &count)
        });
        Self { base: host.unwrap().base(), bodies, full_responses }
    }

    /// Serves a body at a path from now on; an empty path stands for all paths without their own.
    pub(crate) fn serve(&self, path: &str, body: impl Into<Vec<u8>>) {
        self.bodies.lock().unwrap().insert(path.to_owned(), body.into());
    }

    /// The number of responses with a body.
    pub(crate) fn full_responses(&self) -> usize {
        self.full_responses.load(Ordering::SeqCst)
    }
}

fn response(request: &Request, body: Vec<u8>, count: &AtomicUsize) -> Reply {
    let sum = body.iter().map(|byte| u64::from(*byte)).sum::<u64>();
    let etag = format!("\"{}-{sum}\"", body.len());
    if request.path().starts_with("/missing") || body.is_empty() {
        return Reply::new(404, "");
    }
    if request.header("if-none-match") == Some(&etag) {
        return Reply::new(304, "");
    }
    count.fetch_add(1, Ordering::SeqCst);
    Reply::new(200, body).with("etag", &etag)
}

pub(crate) fn casks(tokens: &[&str]) -> String {
    let entries = tokens.iter().map(|token| {
        json!({"token": token, "name": [token.to_uppercase()], "version": "1.0", "artifacts": [{"app": [format!("{token}.app")]}]})
    });
    entries.collect::<Value>().to_string()
}

/// A configuration file with these URLs.
pub(crate) fn write_config(folder: &Path, sources: &[(&str, Vec<String>)]) -> String {
    let lines: Vec<String> =
        sources.iter().map(|(source, addresses)| format!("{source} = {addresses:?}")).collect();
    let file = folder.join("upstreams.toml");
    std::fs::write(&file, format!("[sources]\n{}\n", lines.join("\n"))).unwrap();
    file.display().to_string()
}
