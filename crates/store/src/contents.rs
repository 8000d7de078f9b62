//! The contents of a store.

use std::collections::HashMap;

use bytes::Bytes;
use jiff::Timestamp;

use crate::{Edition, JournalHead, SourceState, StoredSources};

/// Everything in a store, read in one transaction.
#[derive(Debug, Clone, Default)]
pub struct Contents {
    /// The state of the store.
    pub edition: Edition,
    /// The documents of the upstreams, ordered by source, key and origin.
    pub documents: Vec<Document>,
    /// The manual records, ordered by slug.
    pub records: Vec<StoredRecord>,
    /// The validators of the fetched URLs, ordered by source and URL.
    pub fetched: Vec<FetchedFrom>,
    /// The states of the sources that were received, ordered by source.
    pub source_states: Vec<SourceState>,
    /// The insertion number of each app.
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
    /// The hash of the revision.
    pub content_hash: String,
}

/// One app as served. The bytes are those of the responses; clones share them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServedApp {
    /// The slug it is served under.
    pub slug: String,
    /// The app.
    pub app: Bytes,
    /// The payloads of its sources.
    pub sources: Bytes,
    /// The provenance of its values.
    pub provenance: Bytes,
    /// Its drift, if its sources disagree.
    pub drift: Option<Bytes>,
    /// Other data needed to serve it.
    pub notes: Bytes,
}

/// The number of served apps and the total bytes of each part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ServedSizes {
    /// The number of apps.
    pub apps: usize,
    /// The bytes of the apps.
    pub app_bytes: usize,
    /// The bytes of the source payloads.
    pub sources_bytes: usize,
    /// The bytes of the provenance.
    pub provenance_bytes: usize,
    /// The number of apps with drift.
    pub drifts: usize,
    /// The bytes of the drift.
    pub drift_bytes: usize,
}

/// The state that belongs to the served apps.
#[derive(Debug, Clone)]
pub struct ServedState {
    /// The state of the store.
    pub edition: Edition,
    /// The revision of the apps.
    pub revision: Revision,
    /// The insertion number of each app.
    pub insertions: HashMap<String, u64>,
    /// The sources of the apps.
    pub sources: StoredSources,
}

/// A store without its documents, records and apps: enough to tell whether they have to be read
/// again.
#[derive(Debug, Clone)]
pub struct StoreSummary {
    /// The state of the store.
    pub edition: Edition,
    /// The newest revision; `None` until something is published.
    pub revision: Option<Revision>,
    /// The rules and revision of the stored copy of the served catalog; `None` if there is none.
    pub served_by: Option<ServedBy>,
    /// Where the journal of changes begins and ends.
    pub journal: JournalHead,
    /// The sources.
    pub sources: StoredSources,
}

/// One document of an upstream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The source's token.
    pub source: String,
    /// The URL, upload or sample it came from; empty if unknown.
    pub origin: String,
    /// Identifies the document within its source and origin.
    pub key: String,
    /// The document's bytes. Clones share them.
    pub body: Bytes,
}

/// Identifies a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentName {
    /// The source's token.
    pub source: String,
    /// The origin of the document.
    pub origin: String,
    /// Identifies the document within its source and origin.
    pub key: String,
}

/// The validators that a server sent with a file whose documents are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedFrom {
    /// The token of the source that the file was read as.
    pub source: String,
    /// The URL, which is also the origin of the documents.
    pub address: String,
    /// The file's entity tag.
    pub etag: Option<String>,
    /// The time of its last change, as sent by the server.
    pub last_modified: Option<String>,
    /// The reader that made the documents. Another reader may make different documents from the
    /// same file.
    pub reader: String,
}

/// One manual record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRecord {
    /// The slug it is served under.
    pub slug: String,
    /// The record as JSON.
    pub body: String,
    /// Whether it belongs to the built-in sample.
    pub is_sample: bool,
}

/// One state of the served catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// Ascending, starting at 1.
    pub number: u64,
    /// The token of the `ETag`.
    pub token: String,
    /// When the served bytes changed to this state.
    pub changed_at: Timestamp,
    /// A hash over every served byte.
    pub content_hash: String,
    /// The number of apps, in total and per source.
    pub counts: RevisionCounts,
}

/// The number of apps of a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RevisionCounts {
    /// All apps.
    pub total_apps: u64,
    /// Apps with a label.
    pub label_tool: u64,
    /// Apps with a cask.
    pub cask_catalog: u64,
    /// Apps with recipes.
    pub recipe_index: u64,
    /// Apps with an installer title.
    pub mdm_installer: u64,
}
