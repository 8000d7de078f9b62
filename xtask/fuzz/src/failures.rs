//! The failures of a run: made shorter, written to files, one for each cause.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{attempt::Runner, failure::Failure, minimize::minimize, target::hash};

/// More causes than anyone repairs in one go; the run ends.
pub(crate) const MOST_CAUSES: usize = 10;

/// How often an input is run to make it shorter.
const ATTEMPTS: u32 = 3000;

/// The folder of the workspace's build, in which files of the fuzzer have a folder of their own.
pub(crate) fn work_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz/work")
}

/// The failures so far.
#[derive(Default)]
pub(crate) struct Failures {
    causes: Vec<String>,
    /// What to tell about each.
    pub(crate) told: Vec<String>,
}

impl Failures {
    /// Takes a failure, unless one with the same cause is known.
    pub(crate) fn take(&mut self, runner: &mut Runner, input: &[u8], failure: &Failure) {
        let cause = failure.cause().to_owned();
        if self.causes.contains(&cause) {
            return;
        }
        // Making a slow input shorter takes long, and its length is what is of interest.
        let is_costly = matches!(failure, Failure::Slow(_));
        let shortest = minimize(input, if is_costly { 0 } else { ATTEMPTS }, |input| {
            runner.run(input).1.is_some_and(|failure| failure.cause() == cause)
        });
        self.causes.push(cause);
        self.told.push(describe(runner.entry().name, &shortest, &failure.to_string()));
    }

    pub(crate) fn are_too_many(&self) -> bool {
        self.causes.len() >= MOST_CAUSES
    }
}

/// Writes an input to a file and says how to run it again.
pub(crate) fn describe(target: &str, input: &[u8], why: &str) -> String {
    match write(target, input) {
        Ok(path) => format!(
            "{target}: {why}\n  run it again: cargo xtask fuzz {target} --replay {}",
            path.display()
        ),
        Err(error) => format!("{target}: {why}\n  cannot write the input {input:?}: {error}"),
    }
}

fn write(target: &str, input: &[u8]) -> io::Result<PathBuf> {
    let folder = work_folder();
    fs::create_dir_all(&folder)?;
    let folder = folder.canonicalize()?;
    let path = folder.join(format!("{target}-{:016x}", hash(input)));
    fs::write(&path, input)?;
    Ok(path)
}
