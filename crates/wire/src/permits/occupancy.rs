//! What a connection is doing, as far as its permit is concerned.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU64, Ordering, fence},
};

use tokio::task::AbortHandle;

/// Set by the connection, and read by the search for an idle one.
#[derive(Debug)]
pub(crate) struct Occupancy {
    /// Since when it has been idle, in microseconds; or one of the values below.
    since: AtomicU64,
    /// Its task, if the runtime has it.
    task: OnceLock<AbortHandle>,
}

/// A request has arrived and is not wholly answered.
const BUSY: u64 = u64::MAX;
/// The whole response is with the HTTP library, and not all of it is sent.
const ANSWERED: u64 = u64::MAX - 1;
/// It was idle and has been closed to make room.
const DISPLACED: u64 = u64::MAX - 2;

impl Occupancy {
    pub(super) fn idle_since(stamp: u64) -> Self {
        Self { since: AtomicU64::new(stamp), task: OnceLock::new() }
    }

    pub(super) fn begin(&self) -> bool {
        self.since.swap(BUSY, Ordering::Relaxed) != DISPLACED
    }

    pub(super) fn rest(&self, stamp: u64) {
        self.since.store(stamp, Ordering::Relaxed);
    }

    pub(super) fn is_answered(&self) -> bool {
        self.since.load(Ordering::Relaxed) == ANSWERED
    }

    /// Since when it has been idle, if it is.
    pub(super) fn idle(&self) -> Option<u64> {
        let since = self.since.load(Ordering::Relaxed);
        (since < DISPLACED).then_some(since)
    }

    /// Takes the permit of a connection that has been idle all the time since then.
    pub(super) fn displace(&self, since: u64) -> bool {
        self.since.compare_exchange(since, DISPLACED, Ordering::SeqCst, Ordering::Relaxed).is_ok()
    }

    /// Ends the task of a connection that was displaced. It is idle: nothing is lost.
    pub(super) fn close(&self) {
        fence(Ordering::SeqCst);
        if let Some(task) = self.task.get() {
            task.abort();
        }
    }

    pub(super) fn set_task(&self, task: AbortHandle) {
        let _ = self.task.set(task);
        // It may have been displaced before it had a task.
        fence(Ordering::SeqCst);
        if self.since.load(Ordering::SeqCst) == DISPLACED {
            self.close();
        }
    }
}

/// Goes with the body of a response. When the HTTP library drops it, it has the whole body.
pub(crate) struct ResponseMark(Arc<Occupancy>);

impl ResponseMark {
    pub(super) fn new(occupancy: Arc<Occupancy>) -> Self {
        Self(occupancy)
    }
}

impl Drop for ResponseMark {
    fn drop(&mut self) {
        // If it is not busy, the connection has gone on or ended.
        let _ = self.0.since.compare_exchange(BUSY, ANSWERED, Ordering::Relaxed, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_idle_connection_is_displaced() {
        let connection = Occupancy::idle_since(5);
        assert!(connection.begin());
        assert_eq!(connection.idle(), None);
        assert!(!connection.displace(5), "it is being answered");
        connection.rest(7);
        assert!(!connection.displace(5), "it has been answered since");
        assert!(connection.displace(7));
        assert!(!connection.begin(), "it is too late for a request");
    }

    #[test]
    fn a_response_is_complete_when_its_mark_is_gone() {
        let connection = Arc::new(Occupancy::idle_since(5));
        assert!(connection.begin());
        let mark = ResponseMark::new(Arc::clone(&connection));
        assert!(!connection.is_answered());
        drop(mark);
        assert!(connection.is_answered() && connection.idle().is_none());
    }
}
