//! Why a page cannot be made.

use thiserror::Error;

/// A page that cannot be made. Both cases are faults of ours.
#[derive(Debug, Error)]
pub enum PageError {
    /// A template failed.
    #[error("cannot fill a template: {0}")]
    Template(#[from] askama::Error),
    /// Something served cannot be read back.
    #[error("cannot read what is served: {0}")]
    Served(#[from] serde_json::Error),
}
