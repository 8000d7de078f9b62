//! Builds the service and the program that disturbs it, and runs the latter.

use crate::{
    postgres,
    run::{Failure, Step},
};

/// What the program prints for `--help`, which needs no build.
const HELP: &str = include_str!("../faults/help.txt");

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if arguments.iter().any(|argument| matches!(argument.as_str(), "--help" | "-h")) {
        print!("{HELP}");
        return Ok(());
    }
    // The program that is tested is beside the one that runs.
    Step::cargo(&["build", "--locked", "--package", "appstitch"]).run()?;
    let postgres = postgres::folder()?;
    Step::cargo(&["run", "--locked", "--package", "appstitch-faults", "--"])
        .arguments(arguments)
        .variable(appstitch_cluster::BIN_VARIABLE, &postgres)
        .run()
}
