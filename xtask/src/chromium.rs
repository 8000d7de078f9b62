//! The browser of the tests.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use appstitch_setup::CHROMIUM;

use crate::{
    debian,
    run::{Failure, Step},
};

const PROGRAMS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

const MAC_PROGRAM: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/// Without a font, every text has the width zero.
const DEBIAN_PACKAGES: &str = "chromium fonts-dejavu-core fonts-liberation";

/// Names what `program` would install; `None` if there is a browser.
pub(crate) fn to_install() -> Option<String> {
    if find().is_some() { None } else { Some(debian::describe(DEBIAN_PACKAGES)) }
}

pub(crate) fn program() -> Result<OsString, Failure> {
    if let Some(program) = find() {
        return check(program);
    }
    debian::install_packages(DEBIAN_PACKAGES).map_err(|Failure(why)| {
        Failure(format!(
            "{why}\nhint: the browser tests need Chromium or Chrome; install it, or set {CHROMIUM} to its program"
        ))
    })?;
    find().ok_or_else(|| Failure(format!("{DEBIAN_PACKAGES}: installed, but not found")))
}

fn find() -> Option<OsString> {
    if let Some(program) = std::env::var_os(CHROMIUM).filter(|program| !program.is_empty()) {
        return Some(on_path(&program).unwrap_or(program));
    }
    let on_path = PROGRAMS.iter().find_map(|program| on_path(OsStr::new(program)));
    on_path.or(Path::new(MAC_PROGRAM).exists().then(|| MAC_PROGRAM.into()))
}

/// Where a program is on the search path. Playwright takes a path, not a name.
fn on_path(program: &OsStr) -> Option<OsString> {
    let folders = std::env::var_os("PATH")?;
    let mut places = std::env::split_paths(&folders).map(|folder| folder.join(program));
    places.find(|place| place.is_file()).map(PathBuf::into_os_string)
}

/// One error for a wrong path instead of one per test.
fn check(program: OsString) -> Result<OsString, Failure> {
    if Step::new(&program, &["--version"]).succeeds() {
        Ok(program)
    } else {
        Err(Failure(format!(
            "cannot run the browser {}: set {CHROMIUM} to the program of Chromium or Chrome",
            program.display()
        )))
    }
}
