//! The limit of the size of files (`ulimit -f`).

use std::io;

use tokio::signal::unix::{SignalKind, signal};

/// The signal for a write beyond the limit. Its number is the same on Linux, macOS and the BSDs.
const FILE_SIZE_EXCEEDED: i32 = 25;

/// Turns a write beyond the limit into an error of that write, like a full disk. Without this, the
/// signal would end the process. Call this on a runtime, before anything is written.
pub(crate) fn report_as_error() -> io::Result<()> {
    // A handler stays for the life of the process, even if nobody listens.
    signal(SignalKind::from_raw(FILE_SIZE_EXCEEDED)).map(drop)
}
