//! The signals that a command handles.

use std::io;

use anyhow::anyhow;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::exit::Failure;

pub(crate) async fn interrupted() {
    let wait = |kind| async move {
        match signal(kind) {
            Ok(signal) => received(signal).await,
            // Without a handler, the signal ends the process as usual.
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        () = wait(SignalKind::interrupt()) => {}
        () = wait(SignalKind::terminate()) => {}
    }
}

async fn received(mut signal: Signal) {
    signal.recv().await;
}

/// Does work, unless it is interrupted. `state` says how things are then.
pub(crate) async fn unless_interrupted<T>(
    work: impl Future<Output = Result<T, Failure>>,
    state: &str,
) -> Result<T, Failure> {
    tokio::select! {
        biased;
        () = interrupted() => Err(Failure::no(anyhow!("interrupted; {state}"))),
        result = work => result,
    }
}

/// The signal for a write beyond the limit. Its number is the same on Linux, macOS and the BSDs.
const FILE_SIZE_EXCEEDED: i32 = 25;

/// Turns a write beyond the limit of the size of files (`ulimit -f`) into an error of that write, like a
/// full disk. Without this, the signal would end the process. Call this on a runtime, before anything is
/// written.
pub(crate) fn report_file_size_limit() -> io::Result<()> {
    // A handler stays for the life of the process, even if nobody listens.
    signal(SignalKind::from_raw(FILE_SIZE_EXCEEDED)).map(drop)
}
