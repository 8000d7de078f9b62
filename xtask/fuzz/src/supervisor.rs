//! Runs every target in a process of its own, and finds the input if one of them dies.

use std::{
    fs,
    path::Path,
    process::{Command, ExitStatus, Stdio},
};

use crate::{
    batch_file,
    failures::{describe, work_folder},
    minimize::minimize,
    options::Options,
    outcome::Outcome,
    report,
};

/// How often an input is run to make it shorter, each time in a new process.
const ATTEMPTS: u32 = 60;

/// Runs the targets one after the other and prints the table; whether none failed.
pub(crate) fn supervise(options: &Options) -> Result<bool, String> {
    let folder = work_folder();
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut outcomes = Vec::new();
    for target in &options.targets {
        let outcome = work(target, options)?;
        for failure in &outcome.failures {
            println!("failure: {failure}");
        }
        if let Some(path) = &options.report {
            let updated = report::update(path, &outcome);
            updated.map_err(|error| format!("{}: {error}", path.display()))?;
        }
        outcomes.push(outcome);
    }
    print!("{}", report::table(&outcomes));
    Ok(outcomes.iter().all(|outcome| outcome.failures.is_empty()))
}

/// Runs a target in another process.
fn work(target: &str, options: &Options) -> Result<Outcome, String> {
    let mut command = this_program()?;
    command.args(["--work", target, "--seed", &options.seed.to_string()]);
    if options.effort.executions == u64::MAX {
        let minutes = options.effort.time.as_secs() / 60;
        command.args(["--minutes", &minutes.to_string()]);
    } else {
        command.args(["--executions", &options.effort.executions.to_string()]);
    }
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cannot run a worker: {error}"))?;
    if let Ok(outcome) = serde_json::from_slice(&output.stdout) {
        return Ok(outcome);
    }
    let failure = match output.status.code() {
        // It has said why.
        Some(code) => format!("{target}: the worker failed with code {code}"),
        None => died(target, output.status)?,
    };
    Ok(Outcome { target: target.to_owned(), failures: vec![failure], ..Outcome::default() })
}

fn this_program() -> Result<Command, String> {
    let program = std::env::current_exe();
    Ok(Command::new(program.map_err(|error| format!("cannot find this program: {error}"))?))
}

/// Finds the input that ended a worker.
fn died(target: &str, status: ExitStatus) -> Result<String, String> {
    let path = work_folder().join(target).with_extension("batch");
    let batch = batch_file::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let file = work_folder().join(target).with_extension("input");
    for input in batch {
        if ends_the_process(target, &input, &file)? {
            let shortest = minimize(&input, ATTEMPTS, |input| {
                ends_the_process(target, input, &file).unwrap_or(false)
            });
            return Ok(describe(target, &shortest, &format!("the process ends: {status}")));
        }
    }
    Ok(format!("{target}: the process ends: {status}; no input of the last batch does that alone"))
}

fn ends_the_process(target: &str, input: &[u8], file: &Path) -> Result<bool, String> {
    fs::write(file, input).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut command = this_program()?;
    command.args([target, "--replay"]).arg(file);
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    // A signal has no code; a failure of another kind has one.
    Ok(status.map_err(|error| format!("cannot run an input: {error}"))?.code().is_none())
}
