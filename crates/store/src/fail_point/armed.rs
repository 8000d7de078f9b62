//! Fail points in test builds.
//!
//! The environment variable `APPSTITCH_FAIL_POINT` names a file. A test arms a fail point by
//! writing `STEP:FAILURE` to it, for example `commit:crash`. `STEP:FAILURE:N` lets the step pass N
//! times first. The step that fires removes the file, so it fires once.

use std::{env, fs, path::Path, process};

use rusqlite::ffi;

use super::FailPoint;
use crate::error::StoreError;

/// The environment variable with the path of the file.
const FILE: &str = "APPSTITCH_FAIL_POINT";

enum Failure {
    Error,
    Panic,
    /// The process ends at once, without cleaning up.
    Crash,
}

#[expect(clippy::panic, reason = "a test asked for it")]
pub(super) fn reach(point: FailPoint) -> Result<(), StoreError> {
    let Some(file) = env::var_os(FILE) else { return Ok(()) };
    match take(Path::new(&file), point) {
        None => Ok(()),
        Some(Failure::Error) => Err(point.error()),
        Some(Failure::Panic) => panic!("injected panic at {point:?}"),
        Some(Failure::Crash) => process::abort(),
    }
}

/// The failure that is armed at this step. Only one caller gets it.
fn take(file: &Path, point: FailPoint) -> Option<Failure> {
    let text = fs::read_to_string(file).ok()?;
    let mut parts = text.trim().split(':');
    let (step, failure) = (parts.next()?, parts.next()?);
    let passes: u32 = parts.next().unwrap_or("0").parse().ok()?;
    if !step.eq_ignore_ascii_case(&format!("{point:?}")) {
        return None;
    }
    if let Some(left) = passes.checked_sub(1) {
        fs::write(file, format!("{step}:{failure}:{left}")).ok()?;
        return None;
    }
    let failure = match failure {
        "error" => Failure::Error,
        "panic" => Failure::Panic,
        "crash" => Failure::Crash,
        _ => return None,
    };
    fs::remove_file(file).ok()?;
    Some(failure)
}

impl FailPoint {
    /// An error that this step can return without fail points: before the commit, the store fails;
    /// after it, only the thread can get lost.
    fn error(self) -> StoreError {
        match self {
            Self::Committed | Self::Swap | Self::Swapped => StoreError::WorkerGone,
            _ => StoreError::Sqlite(rusqlite::Error::SqliteFailure(
                ffi::Error::new(ffi::SQLITE_IOERR),
                Some(format!("injected error at {self:?}")),
            )),
        }
    }
}
