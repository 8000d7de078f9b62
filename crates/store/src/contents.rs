//! What a store holds.

use std::collections::HashMap;

use bytes::Bytes;
use jiff::Timestamp;

/// Everything in a store, as of one moment.
#[derive(Debug, Clone, Default)]
pub struct Contents {
    /// How many writes the store has seen.
    pub edition: u64,
    /// What the upstreams said, in order of source, key and origin.
    pub documents: Vec<Document>,
    /// The manual records, in order of slug.
    pub records: Vec<StoredRecord>,
    /// The validators of the addresses that were fetched, in order of source and address.
    pub fetched: Vec<FetchedFrom>,
    /// The insertion number of each app.
    pub insertions: HashMap<String, u64>,
    /// The newest revision; `None` until something is published.
    pub revision: Option<Revision>,
    /// How what is kept about the served catalog was made; `None` if nothing is.
    pub served_by: Option<ServedBy>,
}

/// How what is kept about the served catalog was made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServedBy {
    /// By which rules.
    pub rules: String,
    /// The hash of the revision that it is.
    pub content_hash: String,
}

/// One app as it is served. The bytes are those of the answers; a clone shares them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServedApp {
    /// The slug it is served under.
    pub slug: String,
    /// The app.
    pub app: Bytes,
    /// What the sources said about it.
    pub sources: Bytes,
    /// Where its values are from.
    pub provenance: Bytes,
    /// In what its sources disagree, if they do.
    pub drift: Option<Bytes>,
    /// What else is needed to serve it.
    pub notes: Bytes,
}

/// How much there is of the served apps: their number, and the bytes of each part of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ServedSizes {
    /// How many apps.
    pub apps: usize,
    /// The bytes of the apps.
    pub app_bytes: usize,
    /// The bytes of what the sources said.
    pub sources_bytes: usize,
    /// The bytes of where the values are from.
    pub provenance_bytes: usize,
    /// How many apps have drift.
    pub drifts: usize,
    /// The bytes of the drift.
    pub drift_bytes: usize,
}

/// What stands beside the served apps.
#[derive(Debug, Clone)]
pub struct ServedState {
    /// How many writes the store has seen.
    pub edition: u64,
    /// The revision they are.
    pub revision: Revision,
    /// The insertion number of each app.
    pub insertions: HashMap<String, u64>,
}

/// One document of an upstream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The source's token.
    pub source: String,
    /// The address, upload or sample it came from; empty if that is not known.
    pub origin: String,
    /// Identifies the document within its source and origin.
    pub key: String,
    /// The document's bytes; a clone shares them.
    pub body: Bytes,
}

/// Identifies a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentName {
    /// The source's token.
    pub source: String,
    /// Where the document came from.
    pub origin: String,
    /// Identifies the document within its source and origin.
    pub key: String,
}

/// The validators that an address sent with the file whose documents are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedFrom {
    /// The token of the source that the file was read as.
    pub source: String,
    /// The address; it is the origin of the documents.
    pub address: String,
    /// The file's entity tag.
    pub etag: Option<String>,
    /// The time of its last change, as the server wrote it.
    pub last_modified: Option<String>,
    /// Which reader made the documents. Another one may make others of the same file.
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
    /// When the served bytes moved to this state.
    pub changed_at: Timestamp,
    /// A hash over every served byte.
    pub content_hash: String,
    /// The catalog in numbers.
    pub counts: RevisionCounts,
}

/// A revision in numbers.
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
