//! Builds the fuzzer with coverage and runs it.

use crate::run::{Failure, Step};

/// Options of the stable compiler that make every branch count how often it is reached. The fuzzer
/// keeps inputs that reach a new one.
const COVERAGE: &str = "-C passes=sancov-module \
    -C llvm-args=-sanitizer-coverage-level=3 \
    -C llvm-args=-sanitizer-coverage-inline-8bit-counters";

/// What the fuzzer prints for `--help`, which needs no build.
const HELP: &str = include_str!("../fuzz/help.txt");

/// Passes the arguments to the fuzzer.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if arguments.iter().any(|argument| matches!(argument.as_str(), "--help" | "-h")) {
        print!("{HELP}");
        return Ok(());
    }
    let host = host()?;
    // With a target, build scripts and macros are built without coverage, which they cannot link.
    let build = ["run", "--locked", "--profile", "fuzz", "--package", "appstitch-fuzz"];
    let places = ["--target", &host, "--target-dir", "target/fuzz", "--"];
    Step::cargo(&[&build[..], &places].concat())
        .arguments(arguments)
        .variable("RUSTFLAGS", COVERAGE.as_ref())
        .run()
}

/// The name of this kind of machine, as the compiler writes it.
fn host() -> Result<String, Failure> {
    let told = Step::new("rustc", &["-vV"]).output()?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Failure("rustc does not tell its host".to_owned()))
}
