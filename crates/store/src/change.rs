//! A change to a store, worked out in memory and made in one transaction.

use jiff::Timestamp;

use crate::{
    Document, DocumentName, FetchedFrom, RevisionCounts, ServedApp, ServedBy, StoredRecord,
};

/// The rows a commit writes; what is not named here stays as it is.
#[derive(Debug, Clone, Default)]
pub struct Change {
    /// The edition the change was worked out from.
    pub base_edition: u64,
    /// Documents that are new or different.
    pub put_documents: Vec<Document>,
    /// Documents that are gone.
    pub removed_documents: Vec<DocumentName>,
    /// Manual records that are new or different.
    pub put_records: Vec<StoredRecord>,
    /// Slugs of manual records that are gone.
    pub removed_records: Vec<String>,
    /// Apps that came in, in the order in which they get their insertion numbers.
    pub added_apps: Vec<String>,
    /// Apps that left.
    pub removed_apps: Vec<String>,
    /// Validators that are new or different.
    pub put_fetched: Vec<FetchedFrom>,
    /// Validators that no longer hold, as source and address.
    pub removed_fetched: Vec<(String, String)>,
    /// The revision to record, when served bytes move.
    pub revision: Option<NewRevision>,
    /// What is served from now on, where that is kept.
    pub served: Option<ServedChange>,
}

/// A change to what is kept about the served catalog.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServedChange {
    /// How it is made.
    pub made_by: ServedBy,
    /// Whether nothing of what is there is of use.
    pub replaces_all: bool,
    /// Apps that are new or different.
    pub put: Vec<ServedApp>,
    /// Slugs of apps that are gone.
    pub removed: Vec<String>,
}

/// A revision about to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRevision {
    /// The token of the `ETag`.
    pub token: String,
    /// When the change was made.
    pub changed_at: Timestamp,
    /// A hash over every served byte.
    pub content_hash: String,
    /// The catalog in numbers.
    pub counts: RevisionCounts,
}

impl Change {
    /// Whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.revision.is_none()
            && self.served.is_none()
            && self.put_fetched.is_empty()
            && self.removed_fetched.is_empty()
            && self.put_documents.is_empty()
            && self.removed_documents.is_empty()
            && self.put_records.is_empty()
            && self.removed_records.is_empty()
            && self.added_apps.is_empty()
            && self.removed_apps.is_empty()
    }
}
