//! What reading, starting, refreshing and publishing costs: real or made-up files, nginx as the
//! yardstick, and the operating system's own figures about the processes.

mod catalog;
mod comparison;
mod effort;
mod figures;
mod growth;
mod http;
mod load;
mod made_up;
mod metrics;
mod nginx;
mod process;
mod publish;
mod reads;
mod refresh;
mod scratch;
mod server;
mod start;
mod upload;

use crate::{
    debian,
    run::{Failure, Step},
};
use effort::Effort;

/// What can be asked for; all of it if nothing is.
const PARTS: [&str; 5] = ["reads", "start", "refresh", "publish", "growth"];

/// Asks for short runs.
const QUICK: &str = "--quick";

/// Measures the named parts.
pub(crate) fn run(what: &[String]) -> Result<(), Failure> {
    let (flags, parts): (Vec<&str>, Vec<&str>) =
        what.iter().map(String::as_str).partition(|word| word.starts_with('-'));
    if let Some(unknown) = parts.iter().find(|part| !PARTS.contains(part)) {
        let known = PARTS.join(", ");
        return Err(Failure(format!("there is no part {unknown}; parts are {known}")));
    }
    if let Some(unknown) = flags.iter().find(|flag| **flag != QUICK) {
        return Err(Failure(format!("there is no option {unknown}; the only one is {QUICK}")));
    }
    debian::install(&["nginx", "wrk", "taskset", "curl"], "nginx-light wrk util-linux curl")?;
    if std::env::var_os(server::BINARY).is_none() {
        Step::cargo(&["build", "--release", "--locked", "--package", "appstitch"]).run()?;
    }
    let effort = if flags.is_empty() { Effort::FULL } else { Effort::QUICK };
    for part in PARTS {
        if parts.is_empty() || parts.contains(&part) {
            println!("{}", measure(part, effort)?);
        }
    }
    Ok(())
}

/// Measures a part and returns its tables.
fn measure(part: &str, effort: Effort) -> Result<String, Failure> {
    match part {
        "reads" => Ok(reads::measure(effort)?.section(effort)),
        "growth" => Ok(growth::measure(effort)?.section()),
        "start" => start::section(effort),
        "refresh" => refresh::section(effort),
        _ => publish::section(),
    }
}
