//! Connections that were closed to make room, for the thread that has them.

use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use super::Displaced;

/// What one thread still has to close. A connection with a task is closed by ending the task; one that
/// waits for its first request is known to its thread alone.
#[derive(Debug, Default)]
pub(crate) struct Evictions {
    list: Mutex<Vec<Displaced>>,
    added: Notify,
}

impl Evictions {
    pub(super) fn add(&self, displaced: Displaced) {
        self.list.lock().unwrap_or_else(PoisonError::into_inner).push(displaced);
        self.added.notify_one();
    }

    pub(crate) async fn next(&self) -> Vec<Displaced> {
        self.added.notified().await;
        std::mem::take(&mut *self.list.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
