//! Notices that another process changed a store.

use std::time::Duration;

use tokio::{sync::watch, task::AbortHandle};

#[derive(Debug)]
pub struct StoreWatch {
    /// How often the store is to be looked at without a reason.
    interval: Duration,
    commits: watch::Receiver<()>,
    listener: Option<AbortHandle>,
}

impl StoreWatch {
    /// For a store that is only looked at from time to time.
    pub(crate) fn polling(interval: Duration) -> Self {
        Self { interval, commits: watch::channel(()).1, listener: None }
    }

    /// For a store whose commits `listener` hears of. A notification may get lost.
    pub(crate) fn listening(
        interval: Duration,
        commits: watch::Receiver<()>,
        listener: AbortHandle,
    ) -> Self {
        Self { interval, commits, listener: Some(listener) }
    }

    /// Returns when the store's edition may have changed: at once when a database announces a commit,
    /// and otherwise from time to time.
    pub async fn changed(&mut self) {
        let commit = async {
            if self.commits.changed().await.is_err() {
                // Nobody listens, or the task ended with its runtime.
                std::future::pending::<()>().await;
            }
        };
        let _ = tokio::time::timeout(self.interval, commit).await;
    }
}

impl Drop for StoreWatch {
    fn drop(&mut self) {
        if let Some(listener) = &self.listener {
            listener.abort();
        }
    }
}
