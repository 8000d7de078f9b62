//! Runs the tests, with everything that they need.

use std::{fs, io::ErrorKind, path::Path};

use appstitch_cluster::BIN_VARIABLE;
use appstitch_setup::{CHROMIUM, NODE, PYTHON, SKIPPED, ZSH};

use crate::{
    chromium, debian, node, postgres, python,
    run::{Failure, Step, workspace},
};

/// Programs from Debian packages: zsh and the tools that labels call, because labels are zsh code;
/// nginx, which serves the files of the static edge; openssl, which checks signatures and encrypts
/// connections to databases; minisign and zstd, with which anybody can verify a signed catalog.
const PROGRAMS: [&str; 10] = [
    "zsh", "shellcheck", "jq", "original-awk", "xmllint", "xpath", "nginx", "openssl", "minisign",
    "zstd",
];
const PACKAGES: &str = "zsh shellcheck jq original-awk libxml2-utils libxml-xpath-perl nginx-light openssl minisign zstd";

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    announce_installation();
    let python = python::environment()?;
    let node = node::packages()?;
    let chromium = chromium::program()?;
    let postgres = postgres::folder()?;
    debian::install(&PROGRAMS, PACKAGES)?;
    let skipped = workspace().join("target/skipped-tests.txt");
    match fs::remove_file(&skipped) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(Failure(format!("{}: {error}", skipped.display())));
        }
        _ => {}
    }
    let result = Step::cargo(&["test", "--workspace", "--locked"])
        .arguments(arguments)
        .variable(PYTHON, &python)
        .variable(NODE, &node)
        .variable(CHROMIUM, &chromium)
        .variable(BIN_VARIABLE, &postgres)
        .variable(ZSH, "zsh".as_ref())
        .variable(SKIPPED, skipped.as_os_str())
        .run();
    eprintln!("{}", report(&skipped));
    result
}

/// Prints in one line what is about to be installed for the tests, if anything.
fn announce_installation() {
    let mut missing = python::to_install();
    missing.extend(node::to_install());
    missing.extend(chromium::to_install());
    missing.extend(postgres::to_install());
    missing.extend(debian::to_install(&PROGRAMS, PACKAGES));
    if !missing.is_empty() {
        eprintln!("installing for the tests: {}", missing.join(", "));
    }
}

/// How many tests were skipped, by the file in which each has a line.
fn report(skipped: &Path) -> String {
    match fs::read_to_string(skipped).unwrap_or_default().lines().count() {
        0 => "no test was skipped".to_owned(),
        1 => "1 test skipped: the real files are not available".to_owned(),
        count => format!("{count} tests skipped: the real files are not available"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_tests_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("skipped");
        assert_eq!(report(&file), "no test was skipped");
        fs::write(&file, "one\ntwo\n").unwrap();
        assert_eq!(report(&file), "2 tests skipped: the real files are not available");
    }
}
