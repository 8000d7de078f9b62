//! Why a snapshot cannot answer.

use thiserror::Error;

/// Why a snapshot cannot answer. The texts are part of the interface.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadError {
    /// No app has this slug.
    #[error("App with slug '{0}' not found")]
    UnknownSlug(String),
    /// An app without source payloads cannot become a label.
    #[error("App '{0}' has no source detail, cannot generate a label")]
    NoSourceDetail(String),
    /// The snapshot's own bytes cannot be read back; the log says why.
    #[error("Internal Server Error")]
    Internal,
}
