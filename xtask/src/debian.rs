//! Programs from Debian packages.

use crate::run::{Failure, Step};

/// Names what `install` would install; `None` if all programs are present.
pub(crate) fn to_install(programs: &[&str], packages: &str) -> Option<String> {
    if are_present(programs) { None } else { Some(describe(packages)) }
}

/// Packages as `to_install` names them.
pub(crate) fn describe(packages: &str) -> String {
    let kind = if packages.contains(' ') { "Debian packages" } else { "Debian package" };
    format!("{packages} ({kind})")
}

/// Installs packages unless the programs they contain are present.
pub(crate) fn install(programs: &[&str], packages: &str) -> Result<(), Failure> {
    if are_present(programs) { Ok(()) } else { install_packages(packages) }
}

fn are_present(programs: &[&str]) -> bool {
    programs.iter().all(|program| is_present(program))
}

fn is_present(program: &str) -> bool {
    Step::new("sh", &["-c", &format!("command -v {program}")]).succeeds()
}

/// Installs packages with apt-get, as root or with `sudo`.
pub(crate) fn install_packages(packages: &str) -> Result<(), Failure> {
    if !Step::new("apt-get", &["--version"]).succeeds() {
        return Err(Failure(format!(
            "cannot install {packages} without apt-get: install the equivalents and try again"
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
