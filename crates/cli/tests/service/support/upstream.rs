//! A small test upstream, and helpers to refresh from it.

use std::{
    collections::HashMap,
    io::{Read, Write},
    net::TcpListener,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

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
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let bodies = Arc::new(Mutex::new(HashMap::new()));
        let full_responses = Arc::new(AtomicUsize::new(0));
        let upstream = Self { base, bodies, full_responses };
        upstream.serve("", body);
        let (bodies, count) = (Arc::clone(&upstream.bodies), Arc::clone(&upstream.full_responses));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { continue };
                let mut head = Vec::new();
                let mut byte = [0];
                while !head.ends_with(b"\r\n\r\n")
                    && stream.read(&mut byte).is_ok_and(|read| read == 1)
                {
                    head.push(byte[0]);
                }
                let head = String::from_utf8_lossy(&head).into_owned();
                let path = head.split(' ').nth(1).unwrap_or_default();
                let body = {
                    let bodies = bodies.lock().unwrap();
                    bodies.get(path).or_else(|| bodies.get("")).cloned().unwrap_or_default()
                };
                let _ = stream.write_all(&response(&head, path, &body, &count));
            }
        });
        upstream
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

fn response(head: &str, path: &str, body: &[u8], count: &AtomicUsize) -> Vec<u8> {
    let sum = body.iter().map(|byte| u64::from(*byte)).sum::<u64>();
    let etag = format!("\"{}-{sum}\"", body.len());
    if path.starts_with("/missing") || body.is_empty() {
        return b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            .to_vec();
    }
    if head.contains(&etag) {
        return b"HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n".to_vec();
    }
    count.fetch_add(1, Ordering::SeqCst);
    let head = format!(
        "HTTP/1.1 200 OK\r\netag: {etag}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
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
