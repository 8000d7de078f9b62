//! Benchmarks with real or generated files. Reads are compared with nginx; CPU time and memory are the
//! kernel's figures for the processes. The tables are printed as Markdown, for
//! `docs/contributing/performance.md`.

mod carried;
mod catalog;
mod comparison;
mod crowd;
mod effort;
mod exports;
mod figures;
mod growth;
mod http;
mod inventory;
mod load;
mod made_up;
mod mirror;
mod nginx;
mod process;
mod reads;
mod refresh;
mod saturation;
mod search;
mod server;
mod start;
mod upload;

use tempfile::TempDir;

use crate::{
    debian,
    run::{Failure, Step},
};
use effort::Effort;

/// The parts of the benchmark; all of them run if none is named.
const PARTS: [&str; 9] =
    ["reads", "start", "refresh", "search", "inventory", "crowd", "growth", "files", "exports"];

/// A part that runs only if it is named, and how long it runs.
const SATURATION: &str = "load";
const MINUTES: &str = "--minutes";
const USUAL_MINUTES: u32 = 5;

const QUICK: &str = "--quick";

pub(crate) fn run(what: &[String]) -> Result<(), Failure> {
    if let Some((SATURATION, options)) =
        what.split_first().map(|(part, rest)| (part.as_str(), rest))
    {
        let minutes = minutes(options)?;
        prepare()?;
        return saturation::run(minutes);
    }
    let (flags, parts): (Vec<&str>, Vec<&str>) =
        what.iter().map(String::as_str).partition(|word| word.starts_with('-'));
    if let Some(unknown) = parts.iter().find(|part| !PARTS.contains(part)) {
        let known = PARTS.join(", ");
        return Err(Failure(format!("unknown part '{unknown}'; the parts are {known}")));
    }
    if let Some(unknown) = flags.iter().find(|flag| **flag != QUICK) {
        return Err(Failure(format!("unknown option '{unknown}'; the only option is {QUICK}")));
    }
    prepare()?;
    let effort = if flags.is_empty() { Effort::FULL } else { Effort::QUICK };
    println!("Catalog: {}\n", catalog::kind());
    for part in PARTS {
        if parts.is_empty() || parts.contains(&part) {
            // At once, because a later part may fail.
            println!("{}", measure(part, effort)?);
        }
    }
    Ok(())
}

/// Installs what the parts need, and builds what they measure.
fn prepare() -> Result<(), Failure> {
    debian::install(&["nginx", "taskset", "curl"], "nginx-light util-linux curl")?;
    if std::env::var_os(server::BINARY).is_none() {
        Step::cargo(&["build", "--release", "--locked", "--package", "appstitch"]).run()?;
    }
    Ok(())
}

fn minutes(options: &[String]) -> Result<u32, Failure> {
    let wrong = || Failure(format!("the only option of '{SATURATION}' is {MINUTES} NUMBER"));
    match options {
        [] => Ok(USUAL_MINUTES),
        [name, number] if name == MINUTES => {
            number.parse().ok().filter(|number| *number > 0).ok_or_else(wrong)
        }
        _ => Err(wrong()),
    }
}

fn measure(part: &str, effort: Effort) -> Result<String, Failure> {
    match part {
        "reads" => Ok(reads::measure(effort)?.section(effort)),
        "growth" => Ok(growth::measure(effort)?.section()),
        "start" => start::section(effort),
        "refresh" => refresh::section(effort),
        "files" => carried::section(effort),
        "exports" => exports::section(effort),
        "search" => search::section(effort),
        "inventory" => inventory::section(),
        _ => crowd::section(),
    }
}

/// A folder for a store or for files; it is removed when dropped.
fn scratch() -> Result<TempDir, Failure> {
    tempfile::tempdir().map_err(|error| Failure(format!("cannot make a folder: {error}")))
}
