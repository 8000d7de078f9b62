//! What a tool returns.

use bytes::Bytes;

/// What a tool returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Returned {
    /// The structured content, as JSON.
    pub json: Bytes,
    /// How to get the rest, if the result was truncated.
    pub note: Option<String>,
}
