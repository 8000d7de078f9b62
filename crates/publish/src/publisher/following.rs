//! Serving what another process wrote to the store.

use std::{sync::Arc, time::Duration};

use appstitch_sources::RESOLUTION;
use appstitch_store::StoreWatch;

use super::Publisher;
use crate::{
    loaded_catalog::{LoadedCatalog, is_loaded, read_received},
    publish_error::PublishError,
    rules::is_copy,
};

impl Publisher {
    /// Tells when another process may have written to the store.
    #[must_use]
    pub(crate) fn watch_store(&self) -> StoreWatch {
        self.store.watch()
    }

    /// Returns when a request waits for what the store has.
    pub(crate) async fn poll_requested(&self) {
        self.polls.requested().await;
    }

    /// Waits until this process serves what the store has now. Returns `false` if that takes longer,
    /// or if the store cannot be read. Needs a task that runs [`follow`](crate::follow()).
    pub async fn catch_up(&self, timeout: Duration) -> bool {
        self.polls.next(timeout).await
    }

    /// Serves what another process wrote to the store, if anything.
    pub async fn follow_store(self: &Arc<Self>) -> Result<(), PublishError> {
        let poll = self.polls.begin();
        self.serve_newest().await?;
        self.polls.end(poll);
        Ok(())
    }

    async fn serve_newest(self: &Arc<Self>) -> Result<(), PublishError> {
        if self.store.edition().await? == *self.edition() {
            return Ok(());
        }
        let publisher = Arc::clone(self);
        let work = self.following.spawn(async move { publisher.take_over().await });
        work.await.map_err(|_| PublishError::WorkerGone)?
    }

    async fn take_over(&self) -> Result<(), PublishError> {
        let _writing = self.writing.lock().await;
        // An upload in this process may have updated the edition while this waited for the lock.
        if self.store.edition().await? == *self.edition() {
            return Ok(());
        }
        if self.notices_loss().await? {
            return self.show_after_loss().await;
        }
        self.store_state.show_losses(self.store.losses().await?);
        // If only a source was received again, the catalog in memory is still right.
        let summary = self.store.summary(RESOLUTION).await?;
        let (revision, served_by) = (summary.revision.as_ref(), summary.served_by.as_ref());
        if is_loaded(&self.current(), revision, served_by, &summary.journal) {
            if is_copy(served_by) {
                // It may have been signed anew.
                self.received.store(read_received(&self.store).await?.map(Arc::new));
            }
            self.show_status(Some(summary.sources));
            self.reach(summary.edition);
            return Ok(());
        }
        self.show(LoadedCatalog::of(&self.store).await?)?;
        tracing::info!(token = self.current().token(), "loaded a new revision from the store");
        Ok(())
    }
}
