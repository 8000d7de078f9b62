//! Uploads take turns.
//!
//! Reading an upload and planning a change take much more memory than the upload itself, and changes
//! are made one after the other anyway. So one upload is worked on at a time and some wait for it.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

#[derive(Debug)]
pub(crate) struct UploadQueue {
    /// How many may be here.
    size: usize,
    slots: Arc<Semaphore>,
    permit: Arc<Semaphore>,
}

/// Permission to work on an upload. The next one starts when it is dropped.
#[derive(Debug)]
pub(crate) struct UploadPermit {
    _permit: OwnedSemaphorePermit,
    _slot: OwnedSemaphorePermit,
}

impl UploadQueue {
    /// A queue in which this many uploads wait.
    pub(crate) fn new(waiting: usize) -> Self {
        let size = waiting.saturating_add(1).min(Semaphore::MAX_PERMITS);
        Self { size, slots: Arc::new(Semaphore::new(size)), permit: Arc::new(Semaphore::new(1)) }
    }

    /// Waits for a permit, in the order of arrival; `None` if too many wait, or after this time.
    pub(crate) async fn acquire(&self, time: Duration) -> Option<UploadPermit> {
        let slot = Arc::clone(&self.slots).try_acquire_owned().ok()?;
        let permit = timeout(time, Arc::clone(&self.permit).acquire_owned()).await.ok()?.ok()?;
        Some(UploadPermit { _permit: permit, _slot: slot })
    }

    pub(crate) fn length(&self) -> usize {
        self.size - self.slots.available_permits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_mins(1);

    #[tokio::test]
    async fn one_works_some_wait_and_the_rest_is_turned_away() {
        let queue = Arc::new(UploadQueue::new(1));
        let first = queue.acquire(PATIENCE).await.unwrap();
        let waiting = {
            let queue = Arc::clone(&queue);
            tokio::spawn(async move { queue.acquire(PATIENCE).await })
        };
        while queue.length() < 2 {
            tokio::task::yield_now().await;
        }
        assert!(queue.acquire(PATIENCE).await.is_none(), "the queue is full");
        drop(first);
        let second = waiting.await.unwrap().unwrap();
        assert_eq!(queue.length(), 1);
        assert!(queue.acquire(Duration::ZERO).await.is_none(), "the time is up");
        drop(second);
        assert_eq!(queue.length(), 0);
    }
}
