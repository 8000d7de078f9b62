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
