//! Work beside the reads, on threads that step back for them.
//!
//! Publishing a catalog takes more than a second of processor time. Where cores are few, reads
//! would wait for it. So all of it runs on a runtime of its own, whose threads have a low
//! priority: it takes what the reads leave.

use std::{future::Future, io, thread, time::Duration};

use tokio::{
    runtime::{Builder, Handle},
    sync::oneshot,
    task::{JoinError, JoinHandle, spawn_blocking},
};

/// How far the threads step back, of 19. At 15 they still get a thirtieth of a core that reads
/// keep busy all the time, so work ends even then.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 15;

pub(crate) struct Background {
    handle: Handle,
    /// The runtime runs until this is dropped.
    _running: oneshot::Sender<()>,
}

impl Background {
    pub(crate) fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread()
            .enable_time()
            .thread_name("background-work")
            // What a thread freed is given back when it ends.
            .thread_keep_alive(Duration::from_millis(500))
            .build()?;
        let handle = runtime.handle().clone();
        let (running, stopped) = oneshot::channel();
        thread::Builder::new().name("background".to_owned()).spawn(move || {
            step_back();
            // Either way there is nothing left to do.
            let _ = runtime.block_on(stopped);
            runtime.shutdown_background();
        })?;
        Ok(Self { handle, _running: running })
    }

    /// Starts work. Whatever blocking work it spawns is on threads of low priority as well, for
    /// a thread takes its priority from the one that starts it.
    pub(crate) fn spawn<W>(&self, work: W) -> JoinHandle<W::Output>
    where
        W: Future<Output: Send> + Send + 'static,
    {
        self.handle.spawn(work)
    }

    /// Does work that would hold up an async thread.
    pub(crate) async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        self.spawn(async { spawn_blocking(work).await }).await?
    }
}

/// Lowers the priority of the calling thread.
#[cfg(target_os = "linux")]
fn step_back() {
    // Who may not even do that goes on as before.
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::debug!(%error, "the background has the priority of the reads");
    }
}

/// Elsewhere priorities are the whole process's.
#[cfg(not(target_os = "linux"))]
fn step_back() {}

#[cfg(test)]
mod tests {
    use super::*;

    /// The 19th field of a thread's line; the first two are in front of the bracket.
    #[cfg(target_os = "linux")]
    fn niceness() -> i32 {
        let line = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        line.rsplit(')').next().unwrap().split_whitespace().nth(16).unwrap().parse().unwrap()
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn its_threads_step_back_and_ours_do_not() {
        let own = niceness();
        let background = Background::start().unwrap();
        let expected = (own + NICENESS).min(19);
        assert_eq!(background.spawn(async { niceness() }).await.unwrap(), expected);
        assert_eq!(background.run_blocking(niceness).await.unwrap(), expected);
        assert_eq!(niceness(), own);
    }

    #[tokio::test]
    async fn it_ends_with_its_owner() {
        let background = Background::start().unwrap();
        let work = background.spawn(std::future::pending::<()>());
        drop(background);
        assert!(work.await.is_err());
    }
}
