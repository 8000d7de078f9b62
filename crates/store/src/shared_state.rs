//! What processes with one store tell each other, beside the catalog.

use jiff::Timestamp;

use crate::{Edition, Losses, LostEdition, Store, StoreError};

/// How a scheduled refresh ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRefresh {
    /// When it ended.
    pub ended_at: Timestamp,
    /// How it ended, in one word.
    pub result: String,
    /// What went wrong.
    pub why: Option<String>,
}

impl Store {
    /// Whether the store has seen a write. An edition that is too old to be remembered counts as seen.
    pub async fn has_seen(&self, edition: Edition) -> Result<bool, StoreError> {
        on_engine!(self, engine => engine.has_seen(edition).await)
    }

    /// Notes that the store lost an edition, if nobody did before. The numbers of its changes are not
    /// used again, and every webhook is told to start again. The edition changes, so that every process
    /// reads the store again. Returns whether this is the first note of the loss.
    pub async fn note_loss(&self, lost: LostEdition) -> Result<bool, StoreError> {
        on_engine!(self, engine => engine.note_loss(lost).await)
    }

    /// The losses that were noticed.
    pub async fn losses(&self) -> Result<Losses, StoreError> {
        on_engine!(self, engine => engine.losses().await)
    }

    /// How the last scheduled refresh of any process ended.
    pub async fn last_refresh(&self) -> Result<Option<StoredRefresh>, StoreError> {
        on_engine!(self, engine => engine.last_refresh().await)
    }

    /// Notes how a scheduled refresh ended. The edition does not change.
    pub async fn note_refresh(&self, refresh: StoredRefresh) -> Result<(), StoreError> {
        on_engine!(self, engine => engine.note_refresh(refresh).await)
    }
}
