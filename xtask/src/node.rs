//! The npm packages of the tests: third-party clients of the tool protocol, the schema of JSON Feed,
//! and what drives and examines the browser.

use std::{ffi::OsString, fs, path::PathBuf};

use crate::{
    debian,
    run::{Failure, Step, workspace},
};

/// Pinned, so that a new release of a package cannot break the tests.
const PACKAGES: [&str; 6] = [
    "@modelcontextprotocol/conformance@0.1.13",
    "@modelcontextprotocol/sdk@1.32.2",
    "axe-core@4.14.0",
    "jsonfeed-schema@0.5.0",
    // The last ones for Node.js 18, which Debian 12 has.
    "parse5@7.3.0",
    "playwright-core@1.61.1",
];

const PROGRAMS: [&str; 2] = ["node", "npm"];
const DEBIAN_PACKAGES: &str = "nodejs npm";

/// Names what `packages` would install; empty if everything is installed.
pub(crate) fn to_install() -> Vec<String> {
    if is_installed() {
        return Vec::new();
    }
    let mut missing = vec!["npm packages (target/test-node)".to_owned()];
    missing.extend(debian::to_install(&PROGRAMS, DEBIAN_PACKAGES));
    missing
}

/// Installs the packages unless they are up to date, and returns their folder.
pub(crate) fn packages() -> Result<OsString, Failure> {
    let folder = folder();
    if is_installed() {
        return Ok(folder.into());
    }
    debian::install(&PROGRAMS, DEBIAN_PACKAGES)?;
    let failed = |error: std::io::Error| Failure(format!("{}: {error}", folder.display()));
    fs::create_dir_all(&folder).map_err(failed)?;
    fs::write(folder.join("package.json"), "{\"private\": true}\n").map_err(failed)?;
    let prefix = folder.to_string_lossy();
    let install = ["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", &prefix];
    Step::new("npm", &install).arguments(&PACKAGES.map(str::to_owned)).run()?;
    fs::write(stamp(), PACKAGES.join("\n")).map_err(failed)?;
    Ok(folder.into())
}

fn folder() -> PathBuf {
    workspace().join("target").join("test-node")
}

/// Lists the installed packages. Written last, so that an interrupted setup starts over.
fn stamp() -> PathBuf {
    folder().join("installed-packages.txt")
}

fn is_installed() -> bool {
    fs::read_to_string(stamp()).is_ok_and(|installed| installed == PACKAGES.join("\n"))
}
