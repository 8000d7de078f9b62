//! Checks the dependencies: licenses, banned and duplicate crates, registries, known
//! vulnerabilities.
//!
//! Vulnerabilities are looked up in databases on other hosts. If one cannot be reached, its check is
//! skipped with a line that says so; a finding is always an error.

mod python;
#[cfg(test)]
mod tests;

use std::path::Path;

use crate::run::{Failure, Step};

/// The version of the checker. Others find other things.
const CARGO_DENY: &str = "0.20.2";

pub(crate) fn check() -> Result<(), Failure> {
    if !is_installed() {
        Step::cargo(&["install", "--locked", "--force", &format!("cargo-deny@{CARGO_DENY}")])
            .run()?;
    }
    Step::cargo(&["deny", "check", "bans", "licenses", "sources"]).run()?;
    report("crates", advisories(Path::new("deny.toml"), &[])?);
    report("Python packages", python::advisories()?);
    Ok(())
}

fn is_installed() -> bool {
    // If there is none, cargo lists similar commands.
    Step::cargo(&["deny", "--version"]).quiet_output().is_some_and(|told| is_wanted(&told))
}

/// Whether this is what the wanted version tells about itself.
fn is_wanted(told: &str) -> bool {
    told.split_whitespace().eq(["cargo-deny", CARGO_DENY])
}

/// The result of a check that found nothing.
#[derive(Debug, PartialEq, Eq)]
enum Advisories {
    /// There are no known vulnerabilities.
    None,
    /// The database cannot be reached.
    Unreachable,
}

fn report(what: &str, advisories: Advisories) {
    match advisories {
        Advisories::None => eprintln!("{what}: no known vulnerabilities"),
        Advisories::Unreachable => {
            eprintln!("{what}: skipped vulnerabilities; cannot reach the database");
        }
    }
}

/// Looks up the crates in the advisory database that a configuration names. Environment variables
/// can redirect the address of the database.
fn advisories(config: &Path, variables: &[(&str, &str)]) -> Result<Advisories, Failure> {
    let config = config.display().to_string();
    let deny = |arguments: &[&str]| {
        let step = Step::cargo(&[&["deny", "--config", &config], arguments].concat());
        variables.iter().fold(step, |step, (name, value)| step.variable(name, value.as_ref()))
    };
    if !deny(&["fetch", "db"]).succeeds() {
        return Ok(Advisories::Unreachable);
    }
    deny(&["check", "advisories"]).run()?;
    Ok(Advisories::None)
}
