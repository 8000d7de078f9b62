//! Programs that come from Debian's packages.

use crate::run::{Failure, Step};

/// Installs packages unless the programs they bring are there.
pub(crate) fn install(programs: &[&str], packages: &str) -> Result<(), Failure> {
    let there =
        |program: &&str| Step::new("sh", &["-c", &format!("command -v {program}")]).succeeds();
    if programs.iter().all(there) { Ok(()) } else { install_packages(packages) }
}

/// Installs packages with the system's own tool, as root or by way of `sudo`.
pub(crate) fn install_packages(packages: &str) -> Result<(), Failure> {
    if !Step::new("apt-get", &["--version"]).succeeds() {
        return Err(Failure(format!(
            "the tests need {packages}: install what that is here and try again"
        )));
    }
    let install = format!(
        "apt-get update --quiet && apt-get install --yes --quiet --no-install-recommends {packages}"
    );
    let as_root = Step::new("sh", &["-c", "test $(id -u) = 0"]).succeeds();
    let program = if as_root { "sh" } else { "sudo" };
    let arguments: &[&str] = if as_root { &["-c", &install] } else { &["sh", "-c", &install] };
    Step::new(program, arguments).variable("DEBIAN_FRONTEND", "noninteractive".as_ref()).run()
}
