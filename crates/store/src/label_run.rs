//! What a store remembers about running labels. It is not part of the catalog, so writing it does
//! not change the store's edition.

use bytes::Bytes;
use jiff::Timestamp;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredLabelRun {
    pub file: String,
    /// A fingerprint of the text that was run.
    pub fragment: String,
    /// When it was run, with a precision of milliseconds.
    pub run_at: Timestamp,
    /// What it gave, in one word.
    pub outcome: String,
    /// Why a value is unknown; `None` if none is.
    pub why: Option<String>,
}

impl StoredLabelRun {
    /// The outcome of a run in which a request had no answer.
    pub const NO_ANSWER: &'static str = "no_answer";
}

/// The answer of a web server with its validators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResponse {
    /// A hash over the request.
    pub key: String,
    pub address: String,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    pub status: u16,
    /// The headers, encoded by the caller.
    pub headers: String,
    /// The body, encoded by the caller.
    pub body: Bytes,
    /// When it was fetched, with a precision of milliseconds.
    pub fetched_at: Timestamp,
}
