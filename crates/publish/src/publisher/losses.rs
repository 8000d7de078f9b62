//! Writes that the store lost: a standby took over without them, or an older copy was restored.

use std::sync::Arc;

use appstitch_store::{Edition, JournalHead, Losses, LostEdition};
use jiff::Timestamp;

use super::Publisher;
use crate::{loaded_catalog::LoadedCatalog, publish_error::PublishError};

impl Publisher {
    /// How often the store lost what a process served.
    #[must_use]
    pub fn store_losses(&self) -> Losses {
        self.store_state.losses()
    }

    /// Whether the store lost what this process serves. Then the loss is noted in the store, for the
    /// other processes and for those who follow the changes.
    pub(super) async fn notices_loss(&self) -> Result<bool, PublishError> {
        let edition = Edition::clone(&self.edition());
        if self.store.has_seen(edition.clone()).await? {
            return Ok(false);
        }
        let current = self.current();
        let JournalHead { epoch, newest, .. } = current.journal().head().clone();
        let lost = LostEdition { edition, epoch, newest, found_at: Timestamp::now() };
        self.store.note_loss(lost).await?;
        tracing::error!(
            token = current.token(),
            "the store lost this revision: it was replaced by an older copy, or a standby took over that did not have the last writes; serving what the store has now"
        );
        Ok(true)
    }

    /// Serves what the store has after a loss. What is in memory shares nothing with it for sure.
    pub(super) async fn show_after_loss(&self) -> Result<(), PublishError> {
        let LoadedCatalog { draft, revision, edition, sources, journal, copied } =
            LoadedCatalog::of(&self.store).await?;
        self.received.store(copied.map(Arc::new));
        self.swap_in(draft.into_snapshot(revision)?.with_journal(journal))?;
        self.show_status(Some(sources));
        self.store_state.show_losses(self.store.losses().await?);
        self.reach(edition);
        Ok(())
    }
}
