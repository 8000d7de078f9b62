//! The Python environment of the tests, with external tools that check the service.

use std::{ffi::OsString, fs, path::PathBuf};

use crate::{
    debian,
    run::{Failure, Step, workspace},
};

const REQUIREMENTS: &str = include_str!("../python-requirements.txt");

const DEBIAN_PACKAGES: &str = "python3 python3-venv";

/// Names what `environment` would install; empty if everything is installed.
pub(crate) fn to_install() -> Vec<String> {
    if is_installed() {
        return Vec::new();
    }
    let mut missing = vec!["Python packages (target/test-python)".to_owned()];
    if !can_make_environments() {
        missing.push(debian::describe(DEBIAN_PACKAGES));
    }
    missing
}

/// Creates the environment unless it is up to date, and returns its interpreter.
pub(crate) fn environment() -> Result<OsString, Failure> {
    let folder = folder();
    let interpreter = folder.join("bin").join("python");
    if is_installed() {
        return Ok(interpreter.into());
    }
    if !can_make_environments() {
        debian::install_packages(DEBIAN_PACKAGES)?;
    }
    let folder_name = folder.to_string_lossy();
    Step::new("python3", &["-m", "venv", "--clear", &folder_name]).run()?;
    let list = workspace().join("xtask").join("python-requirements.txt");
    let install =
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
    Step::new(&interpreter, &install).arguments(&[list.to_string_lossy().into_owned()]).run()?;
    let stamp = stamp();
    fs::write(&stamp, REQUIREMENTS)
        .map_err(|error| Failure(format!("{}: {error}", stamp.display())))?;
    Ok(interpreter.into())
}

fn folder() -> PathBuf {
    workspace().join("target").join("test-python")
}

/// Holds the installed requirements. Written last, so that an interrupted setup starts over.
fn stamp() -> PathBuf {
    folder().join("installed-requirements.txt")
}

fn is_installed() -> bool {
    fs::read_to_string(stamp()).is_ok_and(|installed| installed == REQUIREMENTS)
}

/// Debian ships the modules that create environments in a separate package.
fn can_make_environments() -> bool {
    Step::new("python3", &["-c", "import ensurepip, venv"]).succeeds()
}
