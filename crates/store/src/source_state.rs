//! What a store knows about each source, apart from the documents themselves.

use std::collections::BTreeMap;

use jiff::Timestamp;

/// When the files of a source were last received. It is kept apart from the revisions, because it
/// moves even if the served catalog does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceState {
    pub source: String,
    /// The last time a file arrived or its server reported no change.
    pub received_at: Timestamp,
    /// The last time that entries were added, changed or removed; `None` if unknown.
    pub changed_at: Option<Timestamp>,
    /// The number of rejected entries in the files that arrived last; `None` if unknown.
    pub rejected: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredSources {
    pub states: Vec<SourceState>,
    /// The number of documents by source. A key that several origins have counts once. A source
    /// without documents is missing.
    pub documents: BTreeMap<String, u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRefresh {
    pub ended_at: Timestamp,
    pub result: String,
    pub why: Option<String>,
}

/// How refreshing a source went, for every process that uses the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceRefresh {
    pub source: String,
    /// When the last attempt began, with a precision of milliseconds, like the other times.
    pub tried_at: Timestamp,
    /// When the last attempt without a failure ended.
    pub succeeded_at: Option<Timestamp>,
    /// When the next attempt is due.
    pub next_at: Timestamp,
    /// The attempts since the last success. An attempt that does not end counts.
    pub failures: u64,
    /// Why the last attempt failed; `None` if it did not.
    pub why: Option<String>,
    /// The entries of the last files that were read; `None` if unknown.
    pub entries: Option<u64>,
    /// How many of them were rejected; `None` if unknown.
    pub rejected: Option<u64>,
    /// The first rejected entries, encoded by the caller.
    pub rejects: String,
}

/// What the fetching of a source remembers from one time to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    pub source: String,
    pub body: String,
}
