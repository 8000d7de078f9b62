//! Work beside the reads, on threads that step back for them.
//!
//! Publishing a catalog takes more than a second of processor time. Where cores are few, reads
//! would wait for it. So all of it runs on a runtime of its own, whose threads take what the reads
//! leave.

use std::{future::Future, io, thread, time::Duration};

use appstitch_snapshot::Snapshot;
use tokio::{
    runtime::{Builder, Handle},
    sync::oneshot,
    task::{JoinError, JoinHandle, spawn_blocking},
};

/// How work beside the reads stands to them, and to whatever else the machine does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackgroundPriority {
    /// It takes what others leave.
    Idle,
    /// It has its full share.
    Normal,
}

/// The threads that work beside the reads; they end with it.
pub struct Background {
    handle: Handle,
    /// The runtime runs until this is dropped.
    _running: oneshot::Sender<()>,
}

impl Background {
    /// Starts them.
    pub fn start(priority: BackgroundPriority) -> io::Result<Self> {
        let runtime = Builder::new_current_thread()
            .enable_time()
            .thread_name("background-work")
            // What a thread freed is given back when it ends.
            .thread_keep_alive(Duration::from_millis(500))
            .build()?;
        let handle = runtime.handle().clone();
        let (running, stopped) = oneshot::channel();
        thread::Builder::new().name("background".to_owned()).spawn(move || {
            if priority == BackgroundPriority::Idle {
                step_back();
            }
            // Either way there is nothing left to do.
            let _ = runtime.block_on(stopped);
            runtime.shutdown_background();
        })?;
        Ok(Self { handle, _running: running })
    }

    /// Starts work. Whatever blocking work it spawns steps back as well, for a thread takes its
    /// priority from the one that starts it.
    pub fn spawn<W>(&self, work: W) -> JoinHandle<W::Output>
    where
        W: Future<Output: Send> + Send + 'static,
    {
        self.handle.spawn(work)
    }

    /// Has a snapshot's memory freed here once nobody reads it any more.
    pub(crate) fn freeing(&self, snapshot: Snapshot) -> Snapshot {
        let handle = self.handle.clone();
        snapshot.with_disposal(move |retired| {
            handle.spawn_blocking(move || drop(retired));
        })
    }

    /// Does work that would hold up an async thread.
    pub async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        self.spawn(async { spawn_blocking(work).await }).await?
    }
}

/// Makes the calling thread one that runs when no other wants to. A lower priority alone would not
/// do: a thread that has begun its slice of time is let finish it, and a read would wait.
#[cfg(target_os = "linux")]
fn step_back() {
    use thread_priority::unix::{
        NormalThreadSchedulePolicy, ThreadSchedulePolicy, set_thread_priority_and_policy,
        thread_native_id,
    };
    let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
    let lowest = thread_priority::ThreadPriority::Min;
    // Who may not even do that goes on as before.
    if let Err(error) = set_thread_priority_and_policy(thread_native_id(), lowest, idle) {
        tracing::debug!(?error, "the background has the priority of the reads");
    }
}

/// Elsewhere there is no such class.
#[cfg(not(target_os = "linux"))]
fn step_back() {}

#[cfg(test)]
mod tests {
    use super::*;

    /// The 41st field of a thread's line; the first two are in front of the bracket.
    #[cfg(target_os = "linux")]
    fn policy() -> String {
        let line = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        line.rsplit(')').next().unwrap().split_whitespace().nth(38).unwrap().to_owned()
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn its_threads_step_back_and_ours_do_not() {
        const IDLE: &str = "5";
        let background = Background::start(BackgroundPriority::Idle).unwrap();
        assert_eq!(background.spawn(async { policy() }).await.unwrap(), IDLE);
        assert_eq!(background.run_blocking(policy).await.unwrap(), IDLE);
        assert_ne!(policy(), IDLE);
        let background = Background::start(BackgroundPriority::Normal).unwrap();
        assert_ne!(background.run_blocking(policy).await.unwrap(), IDLE);
    }

    #[tokio::test]
    async fn it_ends_with_its_owner() {
        let background = Background::start(BackgroundPriority::Idle).unwrap();
        let work = background.spawn(std::future::pending::<()>());
        drop(background);
        assert!(work.await.is_err());
    }
}
