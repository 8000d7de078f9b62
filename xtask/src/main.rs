//! The developer's commands: `cargo xtask test` and what it needs.

#[cfg(target_os = "linux")]
mod bench;
mod debian;
#[cfg(test)]
mod dependencies;
mod guard;
mod node;
mod python;
mod run;

use std::process::ExitCode;

use run::{Failure, Step};

const HELP: &str = "\
cargo xtask COMMAND

  test [ARGUMENTS]   installs what the tests need, then runs every test;
                     arguments go to `cargo test`, for example a test's name
  bench [PART]…      installs what it needs, measures a release build and writes the figures into
                     docs/performance.md; parts, all of them if none is named:
                       reads     against nginx, with the processor time of both
                       start     time to the first answer, and memory
                       refresh   full refreshes, and reads meanwhile
                       publish   what uploads and tool calls cost
                       growth    catalogs of up to a million apps
                     --quick takes short runs and only prints; APPSTITCH_BENCH_BINARY=FILE measures
                     a binary that is already built
  guard [--renew]    counts the instructions of the paths that must stay fast, and fails where they
                     have grown by more than 5 %; --renew writes the counts it compares with
  check              format, lint, documentation and licences, as CI does before the tests";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next();
    let rest: Vec<String> = arguments.collect();
    let result = match command.as_deref() {
        Some("test") => test(&rest),
        Some("check") => check(),
        #[cfg(target_os = "linux")]
        Some("bench") => bench::run(&rest),
        #[cfg(not(target_os = "linux"))]
        Some("bench") => {
            Err(Failure("the figures are the Linux kernel's: run it there".to_owned()))
        }
        Some("guard") => guard::run(&rest),
        _ => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(why)) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn test(arguments: &[String]) -> Result<(), Failure> {
    let python = python::environment()?;
    let node = node::packages()?;
    // Labels are zsh: what is made of them, and for them, is held against the shell itself.
    debian::install(&["zsh"], "zsh")?;
    Step::cargo(&["test", "--workspace", "--locked"])
        .arguments(arguments)
        .variable("APPSTITCH_TEST_PYTHON", &python)
        .variable("APPSTITCH_TEST_NODE", &node)
        .variable("APPSTITCH_TEST_ZSH", "zsh".as_ref())
        .run()
}

fn check() -> Result<(), Failure> {
    Step::cargo(&["fmt", "--all", "--check"]).run()?;
    Step::cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--locked",
        "--",
        "--deny",
        "warnings",
    ])
    .run()?;
    Step::cargo(&["doc", "--workspace", "--no-deps", "--document-private-items", "--locked"])
        .variable("RUSTDOCFLAGS", "--deny warnings".as_ref())
        .run()?;
    if !Step::cargo(&["deny", "--version"]).succeeds() {
        Step::cargo(&["install", "--locked", "cargo-deny@0.20.2"]).run()?;
    }
    Step::cargo(&["deny", "check", "bans", "licenses", "sources"]).run()?;
    // The advisory database is on a host of its own, which not every machine reaches.
    if !Step::cargo(&["deny", "fetch", "db"]).succeeds() {
        eprintln!("skipped: the advisory database does not answer");
        return Ok(());
    }
    Step::cargo(&["deny", "check", "advisories"]).run()
}
