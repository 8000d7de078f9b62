//! Benchmarks of reads, starts, refreshes, publishing and searches, with real or generated files. Reads are
//! compared with nginx; CPU time and memory are the kernel's figures for the processes.
//!
//! Tables are printed and written to `docs/performance.md`, plots to the folder beside it.

mod catalog;
mod comparison;
mod crowd;
mod document;
mod effort;
mod figures;
mod growth;
mod http;
mod inventory;
mod load;
mod machine;
mod made_up;
mod metrics;
mod nginx;
mod pages;
mod plot;
mod process;
mod publish;
mod reads;
mod refresh;
mod saturation;
mod scratch;
mod search;
mod server;
mod start;
mod upload;

use crate::{
    debian,
    run::{Failure, Step},
};
use effort::Effort;

/// The parts of the benchmark; all of them run if none is named.
const PARTS: [&str; 9] =
    ["reads", "start", "refresh", "publish", "search", "inventory", "pages", "crowd", "growth"];

/// A part that runs only if it is named, and how long it runs.
const SATURATION: &str = "load";
const MINUTES: &str = "--minutes";
const USUAL_MINUTES: u32 = 5;

/// Makes short runs; the figures are printed but not written to the document.
const QUICK: &str = "--quick";

/// Measures the named parts.
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
    let bench = Bench { quick: !flags.is_empty() };
    bench.report("machine", &machine::section())?;
    for part in PARTS {
        if parts.is_empty() || parts.contains(&part) {
            bench.measure(part)?;
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

/// How long to saturate the server.
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

struct Bench {
    quick: bool,
}

impl Bench {
    fn effort(&self) -> Effort {
        if self.quick { Effort::QUICK } else { Effort::FULL }
    }

    /// Measures a part and reports it at once, because a later part may fail.
    fn measure(&self, part: &str) -> Result<(), Failure> {
        let effort = self.effort();
        match part {
            "reads" => {
                let reads = reads::measure(effort)?;
                self.report(part, &reads.section(effort))?;
                self.keep(|| plot::latency(&document::plot("latency.svg"), &reads.lines()))
            }
            "growth" => {
                let growth = growth::measure(effort)?;
                self.report(part, &growth.section())?;
                self.keep(|| plot::growth(&document::plot("growth.svg"), &growth.lines()))
            }
            "start" => self.report(part, &start::section(effort)?),
            "refresh" => self.report(part, &refresh::section(effort)?),
            "search" => self.report(part, &search::section(effort)?),
            "inventory" => self.report(part, &inventory::section()?),
            "pages" => self.report(part, &pages::section()?),
            "crowd" => self.report(part, &crowd::section()?),
            _ => self.report(part, &publish::section()?),
        }
    }

    /// Prints tables and writes them to the document.
    fn report(&self, name: &str, text: &str) -> Result<(), Failure> {
        println!("{text}");
        self.keep(|| document::put(name, text))
    }

    /// Writes to the document, except in a quick run.
    fn keep(&self, write: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
        if self.quick { Ok(()) } else { write() }
    }
}
