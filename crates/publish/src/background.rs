//! Background work, on threads with a lower priority than requests.
//!
//! Publishing a catalog takes more than a second of CPU time. On a machine with few cores, requests
//! would have to wait. Therefore all background work runs on a separate runtime whose threads only
//! use otherwise idle CPU time.

use std::{future::Future, io, thread, time::Duration};

use appstitch_snapshot::Snapshot;
use tokio::{
    runtime::{Builder, Handle},
    sync::oneshot,
    task::{JoinError, JoinHandle, spawn_blocking},
};

use crate::publish_error::PublishError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackgroundPriority {
    /// Uses only otherwise idle CPU time.
    Idle,
    /// The same priority as everything else.
    Normal,
}

/// The background threads. They stop when this is dropped.
pub struct Background {
    handle: Handle,
    /// The runtime runs until this is dropped.
    _running: oneshot::Sender<()>,
}

impl Background {
    pub fn start(priority: BackgroundPriority) -> io::Result<Self> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .thread_name("background-work")
            // Ending a thread returns the memory it freed to the system.
            .thread_keep_alive(Duration::from_millis(500))
            .build()?;
        let handle = runtime.handle().clone();
        let (running, stopped) = oneshot::channel();
        thread::Builder::new().name("background".to_owned()).spawn(move || {
            if priority == BackgroundPriority::Idle {
                step_back();
            }
            // An error means that the sender was dropped, which is the signal to stop.
            let _ = runtime.block_on(stopped);
            runtime.shutdown_background();
        })?;
        Ok(Self { handle, _running: running })
    }

    /// Starts a task. Blocking work that it spawns has the same priority, because a thread inherits
    /// the priority of the thread that starts it.
    pub fn spawn<W>(&self, work: W) -> JoinHandle<W::Output>
    where
        W: Future<Output: Send> + Send + 'static,
    {
        self.handle.spawn(work)
    }

    /// Makes a snapshot free its memory on a background thread when its last reference is dropped.
    pub(crate) fn freeing(&self, snapshot: Snapshot) -> Snapshot {
        let handle = self.handle.clone();
        snapshot.with_disposal(move |retired| {
            handle.spawn_blocking(move || drop(retired));
        })
    }

    pub async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        self.spawn(async { spawn_blocking(work).await }).await?
    }
}

/// Gives the calling thread the idle scheduling policy. A lower priority alone is not enough: a
/// thread may finish its time slice once it has started, and a request would have to wait.
#[cfg(target_os = "linux")]
fn step_back() {
    use thread_priority::unix::{
        NormalThreadSchedulePolicy, ThreadSchedulePolicy, set_thread_priority_and_policy,
        thread_native_id,
    };
    let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
    let lowest = thread_priority::ThreadPriority::Min;
    // If this is not permitted, the thread keeps its priority.
    if let Err(error) = set_thread_priority_and_policy(thread_native_id(), lowest, idle) {
        tracing::debug!(?error, "cannot lower the priority of the background threads");
    }
}

/// Other systems have no such policy.
#[cfg(not(target_os = "linux"))]
fn step_back() {}

pub(crate) async fn blocking<T, W>(work: W) -> Result<T, PublishError>
where
    T: Send + 'static,
    W: FnOnce() -> Result<T, PublishError> + Send + 'static,
{
    spawn_blocking(work).await.map_err(|_| PublishError::WorkerGone)?
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scheduling policy: field 41 of the thread's `stat` line. The first two fields end with
    /// the bracket.
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
