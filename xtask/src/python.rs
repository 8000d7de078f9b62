//! The Python environment of the tests, with the tools that check us from outside.

use std::{ffi::OsString, fs};

use crate::run::{Failure, Step, workspace};

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
        install_python()?;
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

fn install_python() -> Result<(), Failure> {
    if !Step::new("apt-get", &["--version"]).succeeds() {
        return Err(Failure(
            "the tests need python3 with venv: install it and try again".to_owned(),
        ));
    }
    let install = "apt-get update --quiet && apt-get install --yes --quiet python3 python3-venv";
    let as_root = Step::new("sh", &["-c", "test $(id -u) = 0"]).succeeds();
    let program = if as_root { "sh" } else { "sudo" };
    let arguments: &[&str] = if as_root { &["-c", install] } else { &["sh", "-c", install] };
    Step::new(program, arguments).variable("DEBIAN_FRONTEND", "noninteractive".as_ref()).run()
}
