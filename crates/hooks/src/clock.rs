//! The time, as given to the worker, so that tests can make days pass at once.

use std::{future::Future, pin::Pin, sync::Arc, time::Duration};

use jiff::Timestamp;

pub trait Clock: Send + Sync + 'static {
    fn now(&self) -> Timestamp;

    /// Waits until a time, or less.
    fn sleep_until(&self, time: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

#[derive(Clone)]
pub struct HookTiming {
    pub clock: Arc<dyn Clock>,
    /// How long a receiver may take to answer.
    pub response_timeout: Duration,
}

impl Default for HookTiming {
    fn default() -> Self {
        // Standard Webhooks recommend 15 to 30 seconds.
        Self { clock: Arc::new(SystemClock), response_timeout: Duration::from_secs(20) }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

/// The clock may be set while the worker waits, so it looks again after this time.
const LONGEST_SLEEP: Duration = Duration::from_mins(1);

impl Clock for SystemClock {
    /// In milliseconds, like the times in the store.
    fn now(&self) -> Timestamp {
        let now = Timestamp::now();
        Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
    }

    fn sleep_until(&self, time: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let left = Duration::try_from(time.duration_since(self.now())).unwrap_or_default();
        Box::pin(tokio::time::sleep(left.min(LONGEST_SLEEP)))
    }
}
