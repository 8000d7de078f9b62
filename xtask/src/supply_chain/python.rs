//! Known vulnerabilities of the pinned Python packages, which include what the Python client
//! needs. The database is that of the package index.

use serde::Deserialize;

use super::Advisories;
use crate::run::{Failure, Step};

/// The packages, one `NAME==VERSION` per line.
const PINNED: &str = include_str!("../../python-requirements.txt");

/// What the package index tells about a release.
#[derive(Deserialize)]
struct Release {
    vulnerabilities: Vec<Vulnerability>,
}

#[derive(Deserialize)]
struct Vulnerability {
    id: String,
    /// When it was declared void; `None` if it holds.
    withdrawn: Option<String>,
}

pub(super) fn advisories() -> Result<Advisories, Failure> {
    let mut answers = Vec::new();
    let mut is_unreachable = false;
    for (name, version) in pinned(PINNED) {
        let address = format!("https://pypi.org/pypi/{name}/{version}/json");
        let ask = ["--silent", "--fail", "--location", "--max-time", "20", &address];
        match Step::new("curl", &ask).output() {
            Ok(answer) => answers.push((name, version, answer)),
            // What the others have is a finding in any case.
            Err(_) => is_unreachable = true,
        }
    }
    let mut findings = Vec::new();
    for (name, version, answer) in &answers {
        let known = vulnerabilities(answer)
            .map_err(|error| Failure(format!("the package index on {name}: {error}")))?;
        findings.extend(known.into_iter().map(|id| format!("{name} {version}: {id}")));
    }
    match findings.as_slice() {
        [] if is_unreachable => Ok(Advisories::Unreachable),
        [] => Ok(Advisories::None),
        _ => Err(Failure(format!("known vulnerabilities: {}", findings.join(", ")))),
    }
}

fn pinned(lines: &str) -> impl Iterator<Item = (&str, &str)> {
    lines.lines().filter_map(|line| line.trim().split_once("=="))
}

/// The identifiers of the vulnerabilities that hold.
fn vulnerabilities(answer: &str) -> Result<Vec<String>, serde_json::Error> {
    let release: Release = serde_json::from_str(answer)?;
    let holding = release.vulnerabilities.into_iter().filter(|own| own.withdrawn.is_none());
    Ok(holding.map(|own| own.id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_is_pinned() {
        let lines = PINNED.lines().filter(|line| !line.trim().is_empty()).count();
        assert_eq!(pinned(PINNED).count(), lines);
        for needed in ["httpx2", "pydantic"] {
            assert!(pinned(PINNED).any(|(name, _)| name == needed), "the client needs {needed}");
        }
    }

    #[test]
    fn a_vulnerability_counts_unless_it_was_withdrawn() {
        let answer = r#"{"info": {}, "vulnerabilities": [
            {"id": "PYSEC-1", "withdrawn": null, "fixed_in": ["2"]},
            {"id": "PYSEC-2", "withdrawn": "2026-01-01T00:00:00Z"}]}"#;
        assert_eq!(vulnerabilities(answer).unwrap(), ["PYSEC-1"]);
        assert_eq!(vulnerabilities(r#"{"vulnerabilities": []}"#).unwrap(), [""; 0]);
        assert!(vulnerabilities("{}").is_err(), "no list is not an empty list");
    }
}
