//! Why nothing was published.

use appstitch_catalog::Slug;
use appstitch_store::StoreError;
use thiserror::Error;

/// Why nothing was published.
#[derive(Debug, Error)]
pub enum PublishError {
    /// Too many entries would go at once.
    #[error("this would remove {removed} of {present} records of {source_token}")]
    Shrinks {
        /// The token of their source, or `records` for the manual records.
        source_token: &'static str,
        /// How many records would go.
        removed: usize,
        /// How many there are.
        present: usize,
    },
    /// There is no such record to remove.
    #[error("there is no manual record with slug '{0}'")]
    UnknownRecord(Slug),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A record could not be serialised.
    #[error("a record could not be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The thread that worked on the change is gone.
    #[error("the work on the change stopped in the middle")]
    WorkerGone,
}
