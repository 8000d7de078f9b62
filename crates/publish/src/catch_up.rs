//! Waits until this process serves what the store has.
//!
//! With several servers on one store, a client can get a position from one of them and send it to
//! another that does not know it yet. Only the store tells whether such a position exists. A request
//! does not ask the store itself: it asks the task that follows the store to look now, and waits.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use tokio::sync::{Notify, watch};

/// The looks at the store by the task that follows it.
pub(crate) struct Looks {
    /// How many have begun.
    begun: AtomicU64,
    /// The newest one after which this process served what the store had.
    done: watch::Sender<u64>,
    /// Whether somebody waits for the next one.
    wanted: Notify,
}

impl Default for Looks {
    fn default() -> Self {
        Self { begun: AtomicU64::new(0), done: watch::Sender::new(0), wanted: Notify::new() }
    }
}

impl Looks {
    /// Begins a look. Returns its number.
    pub(crate) fn begin(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Notes that this process serves what the store had when a look began.
    pub(crate) fn end(&self, number: u64) {
        self.done.send_if_modified(|done| {
            let is_newer = number > *done;
            *done = (*done).max(number);
            is_newer
        });
    }

    /// Returns when somebody waits for the next look.
    pub(crate) async fn wanted(&self) {
        self.wanted.notified().await;
    }

    /// Waits for a look that begins after this call. Returns whether it was successful in time.
    pub(crate) async fn next(&self, patience: Duration) -> bool {
        let before = self.begun.load(Ordering::Acquire);
        let mut done = self.done.subscribe();
        self.wanted.notify_one();
        let next = done.wait_for(|done| *done > before);
        tokio::time::timeout(patience, next).await.is_ok_and(|waited| waited.is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_a_look_that_begins_later_counts() {
        let looks = Looks::default();
        let early = looks.begin();
        let waiting = looks.next(Duration::from_mins(1));
        let looking = async {
            looks.wanted().await;
            looks.end(early);
            tokio::task::yield_now().await;
            let late = looks.begin();
            looks.end(late);
            late
        };
        let (is_done, late) = tokio::join!(waiting, looking);
        assert!(is_done);
        assert_eq!(*looks.done.borrow(), late);
        looks.end(early);
        assert_eq!(*looks.done.borrow(), late, "an older look changes nothing");
        assert!(!looks.next(Duration::from_millis(5)).await, "nobody looks");
    }
}
