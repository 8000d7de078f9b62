//! Which process does the work that only one may do. Several servers can use one store, but each
//! message is sent by one of them.
//!
//! The right to do a duty is a lease: its holder shows every few seconds that it works. A holder that
//! hangs, or that is cut off from the store, first stops to count on its right, and then another
//! process may have it.

use std::{
    fmt::Debug,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::future::{self, BoxFuture};
use tokio::{sync::watch, task::AbortHandle};

/// How often a holder shows that it works.
const BEAT: Duration = Duration::from_secs(5);

/// How long a holder counts on its right after it last showed that it works.
const VALID: Duration = Duration::from_secs(20);

/// How long the others wait for a holder that does not show that it works.
pub(crate) const LEASE: Duration = Duration::from_secs(30);

/// Work that one process at a time does for all that use a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// Delivering the messages of webhooks.
    Hooks,
    /// Fetching the sources by a schedule.
    Refresh,
}

/// The right to do a duty, until it is dropped or lost, or the process ends.
#[derive(Debug)]
pub struct DutyLock {
    lock: Arc<dyn EngineLock>,
    /// When the holder last showed that it works. Closed when the right is lost.
    beats: watch::Receiver<Instant>,
    task: AbortHandle,
}

/// The lock of an engine. It ends when it is dropped, or with the process.
pub(crate) trait EngineLock: Debug + Send + Sync {
    /// Shows that the holder works. Returns whether the lock is still held.
    fn beat(&self) -> BoxFuture<'_, bool>;

    /// Whether the lock is held, as far as is known without waiting.
    fn is_held(&self) -> bool;

    /// Gives the lock back, if dropping it does so only later.
    fn release(&self) -> BoxFuture<'_, ()> {
        Box::pin(future::ready(()))
    }
}

impl DutyLock {
    /// Keeps a lock that was just taken. Needs a runtime.
    pub(crate) fn new(lock: impl EngineLock + 'static) -> Self {
        let (tell, beats) = watch::channel(Instant::now());
        let lock: Arc<dyn EngineLock> = Arc::new(lock);
        // The task does not hold the lock while it sleeps, so that dropping it gives it back at once.
        let beating = Arc::downgrade(&lock);
        let task = tokio::spawn(async move {
            loop {
                tokio::time::sleep(BEAT).await;
                let Some(lock) = beating.upgrade() else { break };
                if !lock.beat().await {
                    break;
                }
                tell.send_replace(Instant::now());
            }
        });
        Self { lock, beats, task: task.abort_handle() }
    }

    #[must_use]
    pub fn is_held(&self) -> bool {
        let is_fresh = self.beats.borrow().elapsed() < VALID;
        is_fresh && self.beats.has_changed().is_ok() && self.lock.is_held()
    }

    /// Returns when the right is lost.
    pub async fn lost(&self) {
        let mut beats = self.beats.clone();
        while beats.changed().await.is_ok() {}
    }

    /// Gives the right back, so that another process can have it at once. A database gives a lock that
    /// is only dropped back a moment later.
    pub async fn release(self) {
        self.lock.release().await;
    }
}

impl Drop for DutyLock {
    fn drop(&mut self) {
        self.task.abort();
    }
}
