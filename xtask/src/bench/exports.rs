//! The cost of exports and of the patch source: made for the first time, asked for again, and in bulk.

use std::fmt::Write as _;

use serde_json::Value;

use super::{
    catalog,
    effort::{Effort, LOADING, SERVING},
    figures::{median, megabytes},
    http::Request,
    scratch,
    server::Server,
};
use crate::run::Failure;

/// How many different files are made for the first time.
const FIRST: usize = 1_000;

/// How often what was asked for before is asked for again.
const AGAIN: u32 = 20_000;

const FORMATS: [&str; 4] = ["munki", "osquery", "autopkg", "fleet"];

pub(super) fn section(effort: Effort) -> Result<String, Failure> {
    let (store, files) = (scratch()?, scratch()?);
    let server = Server::start(&store, Some(SERVING))?;
    let [newest, older] = catalog::editions()?;
    newest.send(&server)?;
    let apps = catalog::all_apps(&server)?;
    let slugs: Vec<&str> = apps.iter().filter_map(|app| app["slug"].as_str()).collect();
    let mut text = format!(
        "| Exports ({}) | made first | asked again | all files, CPU time | size |\n|---|---:|---:|---:|---:|\n",
        catalog::kind()
    );
    for format in FORMATS {
        let first = first(&server, &slugs, format)?;
        // An app that fits: the others are refused, which is not an answer to compare with.
        let file = |slug: &&&str| server.ask(&Request::get(&export(slug, format))).is_ok();
        let Some(slug) = slugs.iter().find(file) else { continue };
        let record = again(&server, &format!("/apps/{slug}"))?;
        let again = again(&server, &export(slug, format))? / record;
        let before = server.process.cpu_seconds_at_rest()?;
        let archive = server.ask(&Request::get(&format!("/export/{format}.tar.gz")))?;
        let whole = server.process.cpu_seconds_at_rest()? - before;
        let size = megabytes(archive.body.len() as u64);
        let _ = writeln!(
            text,
            "| {format} | {:.2} ms | {again:.2} × a record | {whole:.2} s | {size} |",
            first * 1e3
        );
    }
    let titles = server.ask(&Request::get("/jamf/v1/software"))?;
    let count = serde_json::from_slice::<Vec<Value>>(&titles.body).map_or(0, |titles| titles.len());
    let _ = writeln!(text, "\nThe patch source has {count} titles. Publishing takes:\n");

    // The newer edition is published, so the older one is next.
    let editions = [older.store(&files, "older")?, newest.store(&files, "newest")?];
    let (mut alone, mut asked) = (Vec::new(), Vec::new());
    for round in 0..2 * effort.rounds {
        for edition in &editions {
            let times = if round % 2 == 0 { &mut alone } else { &mut asked };
            if round % 2 == 1 {
                for format in FORMATS {
                    server.ask(&Request::get(&format!("/export/{format}.tar.gz")))?;
                }
            }
            times.push(edition.send_from(LOADING, &server)?);
            server.process.cpu_seconds_at_rest()?;
        }
    }
    let (alone, asked) = (median(alone), median(asked));
    let _ = writeln!(text, "| Publishing | | ratio |\n|---|---:|---:|");
    let _ = writeln!(text, "| nobody asks for exports | {alone:.2} s | |");
    let _ = writeln!(text, "| exports are kept | {asked:.2} s | {:.2} |", asked / alone);
    Ok(text)
}

/// The CPU time of a file that is made for its request, in seconds.
fn first(server: &Server, slugs: &[&str], format: &str) -> Result<f64, Failure> {
    let before = server.process.cpu_seconds_at_rest()?;
    let step = (slugs.len() / FIRST).max(1);
    let mut made = 0_u32;
    for slug in slugs.iter().step_by(step) {
        // Refusals count as well: they take the same work.
        server.repeat(&Request::get(&export(slug, format)).text(), 1)?;
        made += 1;
    }
    let spent = server.process.cpu_seconds_at_rest()? - before;
    Ok(spent / f64::from(made.max(1)))
}

fn export(slug: &str, format: &str) -> String {
    format!("/apps/{slug}/export/{format}")
}

/// The CPU time of a request whose answer is known, in seconds.
fn again(server: &Server, path: &str) -> Result<f64, Failure> {
    let request = Request::get(path).text();
    server.repeat(&request, AGAIN / 10)?;
    let before = server.process.cpu_seconds_at_rest()?;
    server.repeat(&request, AGAIN)?;
    Ok((server.process.cpu_seconds_at_rest()? - before) / f64::from(AGAIN))
}
