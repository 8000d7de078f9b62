//! A clock that a test sets.

use std::{future::Future, pin::Pin};

use appstitch_hooks::Clock;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::watch;

/// A clock that stands still until it is set.
pub(crate) struct ManualClock {
    time: watch::Sender<Timestamp>,
}

impl ManualClock {
    /// The real time at first: the journal has real times.
    pub(crate) fn new() -> Self {
        Self { time: watch::Sender::new(Timestamp::now()) }
    }

    pub(crate) fn set(&self, time: Timestamp) {
        self.time.send_replace(time);
    }

    pub(crate) fn advance(&self, duration: SignedDuration) {
        self.time.send_modify(|time| *time += duration);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        *self.time.borrow()
    }

    fn sleep_until(&self, time: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let mut now = self.time.subscribe();
        Box::pin(async move {
            // The clock of a test that ended stands still.
            if now.wait_for(|now| *now >= time).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}
