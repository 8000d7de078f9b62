//! Checks the dependencies: licenses, banned and duplicate crates, registries, known
//! vulnerabilities.
//!
//! Vulnerabilities are looked up in databases on other hosts. If one cannot be reached, its check is
//! skipped with a line that says so; a finding is always an error.

use serde::Deserialize;

use crate::run::{Failure, Step};

/// The version of the checker. Others find other things.
const CARGO_DENY: &str = "0.20.2";

/// The Python packages of the tests, one `NAME==VERSION` per line. They include what the Python
/// client needs.
const PYTHON_PACKAGES: &str = include_str!("../python-requirements.txt");

pub(crate) fn check() -> Result<(), Failure> {
    // Without it, cargo lists similar commands.
    let version = Step::cargo(&["deny", "--version"]).quiet_output().unwrap_or_default();
    if !version.split_whitespace().eq(["cargo-deny", CARGO_DENY]) {
        Step::cargo(&["install", "--locked", "--force", &format!("cargo-deny@{CARGO_DENY}")])
            .run()?;
    }
    Step::cargo(&["deny", "check", "bans", "licenses", "sources"]).run()?;
    if Step::cargo(&["deny", "fetch", "db"]).succeeds() {
        Step::cargo(&["deny", "check", "advisories"]).run()?;
    } else {
        eprintln!("crates: skipped vulnerabilities; cannot reach the database");
    }
    for (name, version) in pinned(PYTHON_PACKAGES) {
        let address = format!("https://pypi.org/pypi/{name}/{version}/json");
        let ask = ["--silent", "--fail", "--location", "--max-time", "20", &address];
        let Ok(release) = Step::new("curl", &ask).output() else {
            eprintln!("{name}: skipped vulnerabilities; cannot reach the package index");
            continue;
        };
        let known = vulnerabilities(&release)
            .map_err(|error| Failure(format!("the package index on {name}: {error}")))?;
        if !known.is_empty() {
            let known = known.join(", ");
            return Err(Failure(format!("known vulnerabilities of {name} {version}: {known}")));
        }
    }
    Ok(())
}

fn pinned(lines: &str) -> impl Iterator<Item = (&str, &str)> {
    lines.lines().filter_map(|line| line.trim().split_once("=="))
}

/// The identifiers of the vulnerabilities that a release has, according to the package index.
fn vulnerabilities(release: &str) -> Result<Vec<String>, serde_json::Error> {
    #[derive(Deserialize)]
    struct Release {
        vulnerabilities: Vec<Vulnerability>,
    }
    #[derive(Deserialize)]
    struct Vulnerability {
        id: String,
        /// When it was declared void.
        withdrawn: Option<String>,
    }
    let Release { vulnerabilities } = serde_json::from_str(release)?;
    let valid = vulnerabilities.into_iter().filter(|known| known.withdrawn.is_none());
    Ok(valid.map(|known| known.id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_is_pinned() {
        let lines = PYTHON_PACKAGES.lines().filter(|line| !line.trim().is_empty()).count();
        assert_eq!(pinned(PYTHON_PACKAGES).count(), lines);
        for needed in ["httpx2", "pydantic"] {
            let is_listed = pinned(PYTHON_PACKAGES).any(|(name, _)| name == needed);
            assert!(is_listed, "the client needs {needed}");
        }
    }

    #[test]
    fn a_vulnerability_counts_unless_it_was_withdrawn() {
        let release = r#"{"info": {}, "vulnerabilities": [
            {"id": "PYSEC-1", "withdrawn": null, "fixed_in": ["2"]},
            {"id": "PYSEC-2", "withdrawn": "2026-01-01T00:00:00Z"}]}"#;
        assert_eq!(vulnerabilities(release).unwrap(), ["PYSEC-1"]);
        assert!(vulnerabilities("{}").is_err(), "no list is not an empty list");
    }
}
