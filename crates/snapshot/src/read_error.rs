//! Errors of reading from a snapshot.

use thiserror::Error;

/// An error of reading from a snapshot. The messages are part of the HTTP interface.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadError {
    /// No app has this slug.
    #[error("App with slug '{0}' not found")]
    UnknownSlug(String),
    /// No app is known by this name.
    #[error("No app is known as '{0}'")]
    UnknownName(String),
    /// No app is or was of this vendor.
    #[error("No app is by the vendor '{0}'")]
    UnknownVendor(String),
    /// No change of this day is known, or the day has fewer parts.
    #[error("There is no archive '{0}'")]
    NoArchive(String),
    /// A label cannot be generated for an app without source payloads.
    #[error("App '{0}' has no source detail, cannot generate a label")]
    NoSourceDetail(String),
    /// The snapshot's own bytes cannot be parsed; the cause is logged.
    #[error("Internal Server Error")]
    Internal,
}
