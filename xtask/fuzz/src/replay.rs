//! Runs one input, or the committed ones.

use std::{path::Path, time::Duration};

use crate::{
    attempt::{Runner, hide_panics},
    target::TargetEntry,
    watchdog::Watchdog,
};

/// An input that ends the process or hangs is run often to make it shorter.
const PATIENCE: Duration = Duration::from_secs(5);

/// Runs the input in a file and tells what it took; the error says why it failed.
pub(crate) fn replay(entry: &'static TargetEntry, path: &Path) -> Result<String, String> {
    let input = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    hide_panics();
    let mut runner = Runner::open(entry)?;
    let watchdog = Watchdog::start(entry.hang.min(PATIENCE));
    watchdog.begin();
    match runner.run(&input) {
        (_, Some(failure)) => Err(failure.to_string()),
        (cost, None) => Ok(format!(
            "passed in {} µs with {} bytes of memory",
            cost.time.as_micros(),
            cost.memory
        )),
    }
}
