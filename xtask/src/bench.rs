//! What reading, stitching and publishing costs: a cold server, real or made-up files, and the
//! operating system's own figures about the process.

mod server;

use std::{fs, io::Write, path::PathBuf};

use flate2::{Compression, write::GzEncoder};

use crate::run::{Failure, Step, workspace};
use server::Server;

/// The upstreams' real files and whose they are.
const REAL: [(&str, &str); 6] = [
    ("label_tool", "label_tool/labels.tar.gz"),
    ("cask_catalog", "cask_catalog/cask.json.gz"),
    ("recipe_index", "recipe_index/index.json.gz"),
    ("mdm_installer", "mdm_installer/titles.synthetic.html"),
    ("mdm_installer", "mdm_installer/titles.synthetic.json.gz"),
    ("store_listing", "store_listing/lookup.json.gz"),
];

/// How many made-up apps the growth is shown with.
const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// Prints the figures as tables.
pub(crate) fn publish() -> Result<(), Failure> {
    Step::cargo(&["build", "--release", "--locked", "--package", "appstitch"]).run()?;
    real_files()?;
    tools()?;
    growth()
}

/// How many requests a cost is averaged over.
const REQUESTS: u32 = 20_000;

/// What a tool call costs beside the plain route that gives the same record.
fn tools() -> Result<(), Failure> {
    let server = Server::start()?;
    server.put_form(&[("cask_catalog", gzip(&made_up_casks(5_000))?)])?;
    let plain = "GET /apps/made-up-7 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".to_owned();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_app","arguments":{"slug":"made-up-7"}}}"#;
    let call = format!(
        "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: {}\r\n\r\n{call}",
        call.len()
    );
    println!("| One record, {REQUESTS} times over one connection | CPU time each | ratio |");
    println!("|---|---:|---:|");
    let mut costs = Vec::new();
    for (name, request) in [("plain route", plain), ("tool call", call)] {
        // Once to warm up, then for the figure.
        server.repeat(&request, REQUESTS / 10)?;
        let before = server.cpu_seconds()?;
        server.repeat(&request, REQUESTS)?;
        let cost = (server.cpu_seconds()? - before) / f64::from(REQUESTS) * 1e6;
        costs.push(cost);
        println!("| {name} | {cost:.1} µs | {:.2} |", cost / costs[0]);
    }
    println!();
    Ok(())
}

fn real_files() -> Result<(), Failure> {
    let data = workspace().join("../shared/data");
    if !data.is_dir() {
        eprintln!("skipped: the upstreams' real files are not at hand");
        return Ok(());
    }
    let read =
        |name: &str| fs::read(data.join(name)).map_err(|error| Failure(format!("{name}: {error}")));
    let mut parts = Vec::new();
    for (source, name) in REAL {
        parts.push((source, read(name)?));
    }
    println!("| The real files | CPU time | memory at most | answer |");
    println!("|---|---:|---:|---|");
    let server = Server::start()?;
    let all = server.put_form(&parts)?;
    println!(
        "| all of them, from a cold process | {:.2} s | {} MB | {} |",
        server.cpu_seconds()?,
        server.peak_megabytes()?,
        counts(&all)
    );
    let before = server.cpu_seconds()?;
    let again = server.put_form(&parts)?;
    println!(
        "| the same again | {:.2} s | {} MB | {} |",
        server.cpu_seconds()? - before,
        server.peak_megabytes()?,
        counts(&again)
    );
    let older = [("cask_catalog", read("cask_catalog/cask.2026-08-08.json.gz")?)];
    let before = server.cpu_seconds()?;
    let changed = server.put_form(&older)?;
    println!(
        "| the casks of two weeks before | {:.2} s | {} MB | {} |",
        server.cpu_seconds()? - before,
        server.peak_megabytes()?,
        counts(&changed)
    );
    println!();
    Ok(())
}

fn growth() -> Result<(), Failure> {
    println!("| Made-up apps | CPU time | per app | memory at most |");
    println!("|---:|---:|---:|---:|");
    for size in SIZES {
        let server = Server::start()?;
        let idle = server.cpu_seconds()?;
        server.put_form(&[("cask_catalog", gzip(&made_up_casks(size))?)])?;
        let seconds = server.cpu_seconds()? - idle;
        #[expect(clippy::cast_precision_loss, reason = "sizes are small")]
        let per_app = seconds / size as f64 * 1e6;
        println!("| {size} | {seconds:.2} s | {per_app:.0} µs | {} MB |", server.peak_megabytes()?);
    }
    Ok(())
}

/// Packed as upstream packs it; a million made-up casks are too long to send as they are.
fn gzip(bytes: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed
        .write_all(bytes)
        .and_then(|()| packed.finish())
        .map_err(|error| Failure(format!("the made-up file cannot be packed: {error}")))
}

/// A cask file of the upstream's shape.
fn made_up_casks(count: usize) -> Vec<u8> {
    let entries: Vec<String> = (0..count)
        .map(|number| {
            format!(
                r#"{{"token":"made-up-{number}","old_tokens":[],"name":["Made Up {number}"],"homepage":"https://vendor{}.example/","url":"https://vendor{}.example/made-up-{number}-1.{number}.dmg","version":"1.{number}","sha256":"{number:064x}","artifacts":[{{"uninstall":[{{"quit":"com.vendor.made-up-{number}"}}]}},{{"app":["Made Up {number}.app"]}}],"disabled":false}}"#,
                number % 997, number % 997,
            )
        })
        .collect();
    format!("[{}]", entries.join(",")).into_bytes()
}

/// What changed, out of a summary.
fn counts(summary: &str) -> String {
    let apps = summary.split("\"apps\":{").nth(1).and_then(|rest| rest.split('}').next());
    let changed = if summary.contains("\"changed\":true") { "changed" } else { "unchanged" };
    format!("{changed}, {}", apps.unwrap_or_default().replace('"', "").replace(',', ", "))
}

/// The release binary.
fn binary() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| workspace().join("target"), PathBuf::from);
    target.join("release").join("appstitch")
}
