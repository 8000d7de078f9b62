//! Errors of publishing.

use appstitch_catalog::Slug;
use appstitch_store::StoreError;
use thiserror::Error;

/// The reason why a change was not published.
#[derive(Debug, Error)]
pub enum PublishError {
    /// The change would remove too many entries at once.
    #[error("this would remove {removed} of {present} records of {source_token}")]
    Shrinks {
        /// The token of the source, or `records` for the manual records.
        source_token: &'static str,
        /// The number of entries that would be removed.
        removed: usize,
        /// The number of stored entries.
        present: usize,
    },
    /// The record to remove does not exist.
    #[error("no manual record has the slug '{0}'")]
    UnknownRecord(Slug),
    /// A manual record with this slug in another case exists.
    #[error("the slug '{given}' differs from the manual record '{stored}' only in case")]
    CaseTwin {
        /// The slug of the new record.
        given: String,
        /// The slug of the stored record.
        stored: String,
    },
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
    /// The store's answer to a commit was lost. Nobody knows whether the change was made.
    #[error("the store's answer was lost; it is unknown whether the change was made")]
    Uncertain,
    /// A newer version of the program has migrated the store, or publishes it.
    #[error("a newer version of appstitch has taken over the store; upgrade this one")]
    Outdated,
    /// A record could not be serialized or parsed.
    #[error("cannot convert a record to or from JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The background task panicked, was canceled or could not be started.
    #[error("the background task stopped unexpectedly")]
    WorkerGone,
}

impl PublishError {
    /// Whether the same may succeed later, because a database is not there or others write to it.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Store(error) => {
                matches!(error, StoreError::Unavailable(_) | StoreError::Moved)
            }
            Self::Uncertain => true,
            _ => false,
        }
    }
}

impl From<StoreError> for PublishError {
    fn from(error: StoreError) -> Self {
        match error {
            // Nobody knows whether a lost thread has written its change, so this must not be taken
            // for a store that failed and changed nothing.
            StoreError::WorkerGone => Self::WorkerGone,
            StoreError::Uncertain => Self::Uncertain,
            StoreError::TooNew { .. } => Self::Outdated,
            error => Self::Store(error),
        }
    }
}
