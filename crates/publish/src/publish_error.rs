//! Errors of publishing.

use appstitch_store::{BackupError, StoreError};
use appstitch_types::Slug;
use thiserror::Error;

/// An upload that removes more than one in this many entries is treated as a mistake.
pub(crate) const SHRINK_PARTS: usize = 5;

#[derive(Debug, Error)]
pub enum PublishError {
    /// The change would remove too many entries at once.
    #[error("this would remove {removed} of {present} records of {source_token}")]
    Shrinks {
        /// The token of the source, or `records` for the manual records.
        source_token: &'static str,
        removed: usize,
        present: usize,
    },
    #[error("no manual record has the slug '{0}'")]
    UnknownRecord(Slug),
    /// A manual record with this slug in another case exists.
    #[error("the slug '{given}' differs from the manual record '{stored}' only in case")]
    CaseTwin { given: String, stored: String },
    #[error(transparent)]
    Store(StoreError),
    /// The store's reply to a commit was lost. It is unknown whether the change was made.
    #[error("the store's answer was lost; it is unknown whether the change was made")]
    Uncertain,
    /// A newer version of the program has migrated the store, or publishes it.
    #[error("a newer version of appstitch has taken over the store; upgrade this one")]
    Outdated,
    /// The store holds what another store publishes.
    #[error("the store is a copy of another catalog: it cannot be changed, only fetched again")]
    Mirror,
    #[error(
        "the store is a copy of a catalog that this version of appstitch cannot serve; use the version of its origin, or a newer one"
    )]
    ForeignCopy,
    #[error("cannot copy the store: {0}")]
    Copy(BackupError),
    /// A record could not be serialized or parsed.
    #[error("cannot convert a record to or from JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("cannot read the built-in sample: {0}")]
    Sample(String),
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

impl From<BackupError> for PublishError {
    fn from(error: BackupError) -> Self {
        match error {
            BackupError::Store(error) => error.into(),
            error => Self::Copy(error),
        }
    }
}

impl From<StoreError> for PublishError {
    fn from(error: StoreError) -> Self {
        match error {
            // It is unknown whether a lost thread has written its change, so this must not be taken
            // for a store that failed and changed nothing.
            StoreError::WorkerGone => Self::WorkerGone,
            StoreError::Uncertain => Self::Uncertain,
            StoreError::TooNew { .. } => Self::Outdated,
            error => Self::Store(error),
        }
    }
}
