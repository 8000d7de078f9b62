//! Waits until this process serves what the store has.
//!
//! With several servers on one store, a client can get a position from one of them and send it to
//! another that does not know it yet. Only the store knows whether such a position exists. A request
//! does not ask the store itself: it asks the task that follows the store to poll it now, and waits.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use tokio::sync::{Notify, watch};

/// The polls of the store by the task that follows it.
pub(crate) struct Polls {
    begun: AtomicU64,
    /// The newest one after which this process served what the store had.
    done: watch::Sender<u64>,
    /// Notified when a request waits for the next one.
    requested: Notify,
}

impl Default for Polls {
    fn default() -> Self {
        Self { begun: AtomicU64::new(0), done: watch::Sender::new(0), requested: Notify::new() }
    }
}

impl Polls {
    /// Begins a poll. Returns its number.
    pub(crate) fn begin(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Notes that this process serves what the store had when a poll began.
    pub(crate) fn end(&self, number: u64) {
        self.done.send_if_modified(|done| {
            let is_newer = number > *done;
            *done = (*done).max(number);
            is_newer
        });
    }

    /// Returns when a request waits for the next poll.
    pub(crate) async fn requested(&self) {
        self.requested.notified().await;
    }

    /// Waits for a poll that begins after this call. Returns whether it was successful in time.
    pub(crate) async fn next(&self, timeout: Duration) -> bool {
        let before = self.begun.load(Ordering::Acquire);
        let mut done = self.done.subscribe();
        self.requested.notify_one();
        let next = done.wait_for(|done| *done > before);
        tokio::time::timeout(timeout, next).await.is_ok_and(|waited| waited.is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_a_poll_that_begins_later_counts() {
        let polls = Polls::default();
        let early = polls.begin();
        let waiting = polls.next(Duration::from_mins(1));
        let polling = async {
            polls.requested().await;
            polls.end(early);
            tokio::task::yield_now().await;
            let late = polls.begin();
            polls.end(late);
            late
        };
        let (is_done, late) = tokio::join!(waiting, polling);
        assert!(is_done);
        assert_eq!(*polls.done.borrow(), late);
        polls.end(early);
        assert_eq!(*polls.done.borrow(), late, "an older poll changes nothing");
        assert!(!polls.next(Duration::from_millis(5)).await, "nobody polls");
    }
}
