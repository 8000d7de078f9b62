//! Running other programs.

use std::{
    ffi::{OsStr, OsString},
    path::Path,
    process::{Command, Stdio},
};

/// Why a command could not be finished.
pub(crate) struct Failure(pub(crate) String);

/// One program to run in the workspace's folder.
pub(crate) struct Step(Command);

impl Step {
    pub(crate) fn new(program: impl AsRef<OsStr>, arguments: &[&str]) -> Self {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(workspace());
        Self(command)
    }

    /// The cargo that runs us.
    pub(crate) fn cargo(arguments: &[&str]) -> Self {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        Self::new(cargo, arguments)
    }

    pub(crate) fn arguments(mut self, arguments: &[String]) -> Self {
        self.0.args(arguments);
        self
    }

    pub(crate) fn variable(mut self, name: &str, value: &OsStr) -> Self {
        self.0.env(name, value);
        self
    }

    /// Runs it in view of the caller.
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        let name = format!("{:?}", self.0);
        match self.0.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(Failure(format!("{name} ended with {status}"))),
            Err(error) => Err(Failure(format!("{name} could not be run: {error}"))),
        }
    }

    /// What it prints, if it succeeds; what it says beside that is in view of the caller.
    pub(crate) fn output(mut self) -> Result<String, Failure> {
        let name = format!("{:?}", self.0);
        match self.0.stderr(Stdio::inherit()).output() {
            Ok(output) if output.status.success() => {
                Ok(String::from_utf8_lossy(&output.stdout).into_owned())
            }
            Ok(output) => Err(Failure(format!("{name} ended with {}", output.status))),
            Err(error) => Err(Failure(format!("{name} could not be run: {error}"))),
        }
    }

    /// Whether it runs and succeeds; what it says is of no interest.
    pub(crate) fn succeeds(mut self) -> bool {
        let silent = self.0.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        silent.status().is_ok_and(|status| status.success())
    }
}

/// The folder of the workspace: the one above this package's.
pub(crate) fn workspace() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
}
