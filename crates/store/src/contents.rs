//! The contents of a store.

use std::collections::HashMap;

use bytes::Bytes;
use jiff::Timestamp;

use crate::{
    edition::Edition,
    journal::JournalHead,
    source_state::{SourceState, StoredSources},
};

/// Everything in a store, read in one transaction.
#[derive(Debug, Clone, Default)]
pub struct Contents {
    pub edition: Edition,
    /// The documents of the upstreams, ordered by source, key and origin.
    pub documents: Vec<Document>,
    /// The manual records, ordered by slug.
    pub records: Vec<StoredRecord>,
    /// The validators of the fetched URLs, ordered by source and URL.
    pub fetched: Vec<FetchedFrom>,
    /// The states of the sources that were received, ordered by source.
    pub source_states: Vec<SourceState>,
    pub insertions: HashMap<String, u64>,
    /// The newest revision; `None` until something is published.
    pub revision: Option<Revision>,
    /// The rules and revision of the stored copy of the served catalog; `None` if there is none.
    pub served_by: Option<ServedBy>,
    /// Where the journal of changes begins and ends.
    pub journal: JournalHead,
}

/// The rules and revision of the stored copy of the served catalog.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServedBy {
    /// Identifies the rules, that is, the code that made the served bytes.
    pub rules: String,
    pub content_hash: String,
}

/// One app as served. The bytes are those of the responses; clones share them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServedApp {
    pub slug: String,
    pub app: Bytes,
    pub sources: Bytes,
    pub provenance: Bytes,
    pub drift: Option<Bytes>,
    /// Other data needed to serve it.
    pub notes: Bytes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ServedSizes {
    pub apps: usize,
    pub app_bytes: usize,
    pub sources_bytes: usize,
    pub provenance_bytes: usize,
    pub drifts: usize,
    pub drift_bytes: usize,
}

#[derive(Debug, Clone)]
pub struct ServedState {
    pub edition: Edition,
    pub revision: Revision,
    pub insertions: HashMap<String, u64>,
    pub sources: StoredSources,
}

/// A store without its documents, records and apps: enough to tell whether they have to be read
/// again.
#[derive(Debug, Clone)]
pub struct StoreSummary {
    pub edition: Edition,
    pub revision: Option<Revision>,
    pub served_by: Option<ServedBy>,
    pub journal: JournalHead,
    pub sources: StoredSources,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    pub source: String,
    /// The URL, upload or sample it came from; empty if unknown.
    pub origin: String,
    /// Identifies the document within its source and origin.
    pub key: String,
    /// The document's bytes. Clones share them.
    pub body: Bytes,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentName {
    pub source: String,
    pub origin: String,
    pub key: String,
}

/// The validators that a server sent with a file whose documents are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedFrom {
    pub source: String,
    /// The URL, which is also the origin of the documents.
    pub address: String,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// The reader that made the documents. Another reader may make different documents from the
    /// same file.
    pub reader: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRecord {
    pub slug: String,
    pub body: String,
    pub is_sample: bool,
}

/// One state of the served catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// Ascending, starting at 1.
    pub number: u64,
    pub token: String,
    pub changed_at: Timestamp,
    /// A hash over every served byte.
    pub content_hash: String,
}
