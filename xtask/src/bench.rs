//! What reading, stitching and publishing costs: a cold server, real or made-up files, and the
//! operating system's own figures about the process.

mod catalog;
mod load;
mod nginx;
mod reads;
mod server;

use std::path::PathBuf;

use crate::{
    debian,
    run::{Failure, Step, workspace},
};
use catalog::{gzip, made_up_casks};
use server::Server;

/// How many made-up apps the growth is shown with.
const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// Prints the figures as tables.
pub(crate) fn run(what: &[String]) -> Result<(), Failure> {
    Step::cargo(&["build", "--release", "--locked", "--package", "appstitch"]).run()?;
    let wanted = |name: &str| what.is_empty() || what.iter().any(|word| word == name);
    if wanted("reads") {
        reads()?;
    }
    if wanted("publish") {
        real_files()?;
        tools()?;
    }
    if wanted("growth") {
        growth()?;
    }
    Ok(())
}

/// How reads compare with files that nginx serves.
fn reads() -> Result<(), Failure> {
    debian::install(&["nginx", "wrk", "taskset"], "nginx-light wrk util-linux")?;
    let comparisons = reads::compare()?;
    println!("| Read | appstitch | nginx | ratio | 99 % ours | 99 % nginx |");
    println!("|---|---:|---:|---:|---:|---:|");
    for comparison in comparisons {
        println!(
            "| {} | {:.0}/s | {:.0}/s | {:.2} | {:.2} ms | {:.2} ms |",
            comparison.name,
            comparison.ours.requests_a_second,
            comparison.theirs.requests_a_second,
            comparison.ratio(),
            comparison.ours.percentile_99 / 1e3,
            comparison.theirs.percentile_99 / 1e3,
        );
    }
    println!();
    Ok(())
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
    let (Some(parts), Some(older)) =
        (catalog::real_files(), catalog::real_file("cask_catalog/cask.2026-08-08.json.gz"))
    else {
        eprintln!("skipped: the upstreams' real files are not at hand");
        return Ok(());
    };
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
    let older = [("cask_catalog", older)];
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
