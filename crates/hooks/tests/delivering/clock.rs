//! A clock that a test sets.

use std::{future::Future, pin::Pin, time::Duration};

use appstitch_hooks::Clock;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::watch;

/// A clock that stands still until it is set.
pub(crate) struct ManualClock {
    time: watch::Sender<Timestamp>,
    /// The end of each sleep that began.
    sleeps: watch::Sender<Vec<Timestamp>>,
}

impl ManualClock {
    /// The real time at first: the journal has real times.
    pub(crate) fn new() -> Self {
        let time = watch::Sender::new(Timestamp::now());
        Self { time, sleeps: watch::Sender::new(Vec::new()) }
    }

    pub(crate) fn set(&self, time: Timestamp) {
        self.time.send_replace(time);
    }

    pub(crate) fn advance(&self, duration: SignedDuration) {
        self.time.send_modify(|time| *time += duration);
    }

    /// Waits until this many sleeps began that end this long after now.
    pub(crate) async fn until_asleep(&self, count: usize, seconds: i64) {
        let end = self.now() + SignedDuration::from_secs(seconds);
        let mut sleeps = self.sleeps.subscribe();
        let begun =
            sleeps.wait_for(|ends| ends.iter().filter(|time| **time == end).count() >= count);
        let begun = tokio::time::timeout(Duration::from_mins(1), begun).await;
        assert!(begun.is_ok_and(|begun| begun.is_ok()), "nobody sleeps for {seconds} seconds");
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        *self.time.borrow()
    }

    fn sleep_until(&self, time: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        self.sleeps.send_modify(|ends| ends.push(time));
        let mut now = self.time.subscribe();
        Box::pin(async move {
            // The clock of a test that ended stands still.
            if now.wait_for(|now| *now >= time).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}
