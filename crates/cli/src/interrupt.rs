//! Ctrl-C and SIGTERM during long work.

use anyhow::anyhow;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::exit::Failure;

/// Waits for Ctrl-C or SIGTERM.
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

/// Does work, unless it is interrupted. `state` tells how things are then.
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
