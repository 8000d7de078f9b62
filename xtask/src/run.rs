//! Running other programs.

use std::{
    ffi::{OsStr, OsString},
    path::Path,
    process::{Command, Stdio},
};

pub(crate) struct Failure(pub(crate) String);

/// A program to run in the workspace's folder.
pub(crate) struct Step(Command);

impl Step {
    pub(crate) fn new(program: impl AsRef<OsStr>, arguments: &[&str]) -> Self {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(workspace());
        Self(command)
    }

    /// The cargo that runs this program, without the variables that describe this package: build scripts
    /// that read them would run again, and with them half of the dependencies would be built again.
    pub(crate) fn cargo(arguments: &[&str]) -> Self {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let mut step = Self::new(cargo, arguments);
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_MANIFEST_") || text.starts_with("CARGO_PKG_") {
                step.0.env_remove(&name);
            }
        }
        step
    }

    pub(crate) fn arguments(mut self, arguments: &[String]) -> Self {
        self.0.args(arguments);
        self
    }

    pub(crate) fn variable(mut self, name: &str, value: &OsStr) -> Self {
        self.0.env(name, value);
        self
    }

    /// The command as it would be typed, for messages.
    fn name(&self) -> String {
        let words = std::iter::once(self.0.get_program()).chain(self.0.get_args());
        words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
    }

    /// Runs the program with inherited stdin, stdout and stderr.
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        let name = self.name();
        match self.0.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(Failure(format!("{name} failed: {status}"))),
            Err(error) => Err(Failure(format!("cannot run {name}: {error}"))),
        }
    }

    /// Runs the program and returns its stdout; stderr is inherited.
    pub(crate) fn output(mut self) -> Result<String, Failure> {
        let name = self.name();
        match self.0.stderr(Stdio::inherit()).output() {
            Ok(output) if output.status.success() => {
                Ok(String::from_utf8_lossy(&output.stdout).into_owned())
            }
            Ok(output) => Err(Failure(format!("{name} failed: {}", output.status))),
            Err(error) => Err(Failure(format!("cannot run {name}: {error}"))),
        }
    }

    /// Whether the program runs and succeeds; its output is discarded.
    pub(crate) fn succeeds(self) -> bool {
        self.quiet_output().is_some()
    }

    /// The stdout of a program that may fail; its stderr is discarded.
    pub(crate) fn quiet_output(mut self) -> Option<String> {
        let output = self.0.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// The folder of the workspace, which is the parent of this package's folder.
pub(crate) fn workspace() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
}

/// The name of this kind of machine, as the compiler writes it.
pub(crate) fn host() -> Result<String, Failure> {
    let version = Step::new("rustc", &["-vV"]).output()?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Failure("rustc names no host".to_owned()))
}
