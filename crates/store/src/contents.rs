//! What a store holds.

use std::collections::HashMap;

use bytes::Bytes;
use jiff::Timestamp;

/// Everything in a store, as of one moment.
#[derive(Debug, Clone, Default)]
pub struct Contents {
    /// How many writes the store has seen.
    pub edition: u64,
    /// What the upstreams said, by source and key.
    pub documents: Vec<Document>,
    /// The hand-given records, by slug.
    pub records: Vec<StoredRecord>,
    /// The insertion number of each app.
    pub insertions: HashMap<String, u64>,
    /// The newest revision; `None` until something is published.
    pub revision: Option<Revision>,
}

/// One document of an upstream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The source's token.
    pub source: String,
    /// What tells the document from others of its source.
    pub key: String,
    /// The document's bytes; a clone shares them.
    pub body: Bytes,
}

/// What an upstream's address answered when it was last taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedFrom {
    /// The address.
    pub address: String,
    /// The file's entity tag.
    pub etag: Option<String>,
    /// The time of its last change, as the server wrote it.
    pub last_modified: Option<String>,
}

/// One record given by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRecord {
    /// The slug it is served under.
    pub slug: String,
    /// The record as JSON.
    pub body: String,
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
