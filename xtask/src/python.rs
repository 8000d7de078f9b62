//! The Python environment of the tests, with the tools that check us from outside.

use std::{ffi::OsString, fs};

use crate::{
    debian,
    run::{Failure, Step, workspace},
};

const REQUIREMENTS: &str = include_str!("../python-requirements.txt");

/// Makes the environment, or finds it made, and returns its interpreter.
pub(crate) fn environment() -> Result<OsString, Failure> {
    let folder = workspace().join("target").join("test-python");
    let interpreter = folder.join("bin").join("python");
    // What was installed; written last, so that a broken-off set-up starts over.
    let stamp = folder.join("installed-requirements.txt");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == REQUIREMENTS) {
        return Ok(interpreter.into());
    }
    if !can_make_environments() {
        debian::install_packages("python3 python3-venv")?;
    }
    let folder_name = folder.to_string_lossy();
    Step::new("python3", &["-m", "venv", "--clear", &folder_name]).run()?;
    let list = workspace().join("xtask").join("python-requirements.txt");
    let install =
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
    Step::new(&interpreter, &install).arguments(&[list.to_string_lossy().into_owned()]).run()?;
    fs::write(&stamp, REQUIREMENTS)
        .map_err(|error| Failure(format!("{}: {error}", stamp.display())))?;
    Ok(interpreter.into())
}

/// Debian ships Python without the part that makes environments.
fn can_make_environments() -> bool {
    Step::new("python3", &["-c", "import ensurepip, venv"]).succeeds()
}
