//! The npm packages of the tests: other people's clients of the tool protocol.

use std::{ffi::OsString, fs};

use crate::{
    debian,
    run::{Failure, Step, workspace},
};

/// Pinned, so that a test fails because of us and not because of the day.
const PACKAGES: [&str; 2] =
    ["@modelcontextprotocol/conformance@0.1.13", "@modelcontextprotocol/sdk@1.32.2"];

/// Installs the packages, or finds them installed, and returns their folder.
pub(crate) fn packages() -> Result<OsString, Failure> {
    let folder = workspace().join("target").join("test-node");
    // What was installed; written last, so that a broken-off set-up starts over.
    let stamp = folder.join("installed-packages.txt");
    let wanted = PACKAGES.join("\n");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(folder.into());
    }
    debian::install(&["node", "npm"], "nodejs npm")?;
    let failed = |error: std::io::Error| Failure(format!("{}: {error}", folder.display()));
    fs::create_dir_all(&folder).map_err(failed)?;
    fs::write(folder.join("package.json"), "{\"private\": true}\n").map_err(failed)?;
    let prefix = folder.to_string_lossy();
    let install = ["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", &prefix];
    Step::new("npm", &install).arguments(&PACKAGES.map(str::to_owned)).run()?;
    fs::write(&stamp, wanted).map_err(failed)?;
    Ok(folder.into())
}
