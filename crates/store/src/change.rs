//! A change to a store, computed in memory and written in one transaction.

use jiff::Timestamp;

use crate::{
    Document, DocumentName, Edition, FetchedFrom, JournalChange, RevisionCounts, ServedApp,
    ServedBy, SourceState, StoredRecord,
};

/// The rows that a commit writes. All other rows stay unchanged.
#[derive(Debug, Clone, Default)]
pub struct Change {
    /// The edition that the change is based on.
    pub base_edition: Edition,
    /// New and changed documents.
    pub put_documents: Vec<Document>,
    /// Removed documents.
    pub removed_documents: Vec<DocumentName>,
    /// New and changed manual records.
    pub put_records: Vec<StoredRecord>,
    /// Slugs of removed manual records.
    pub removed_records: Vec<String>,
    /// Slugs of added apps, in the order in which they get their insertion numbers.
    pub added_apps: Vec<String>,
    /// Slugs of removed apps.
    pub removed_apps: Vec<String>,
    /// New and changed validators.
    pub put_fetched: Vec<FetchedFrom>,
    /// Validators that are no longer valid, as source and URL.
    pub removed_fetched: Vec<(String, String)>,
    /// New and changed states of sources.
    pub put_source_states: Vec<SourceState>,
    /// The revision to record, if served bytes change.
    pub revision: Option<NewRevision>,
    /// What the revision writes to the journal. Without a revision it is not written.
    pub journal: Option<JournalChange>,
    /// The change to the stored copy of the served catalog.
    pub served: Option<ServedChange>,
}

/// A change to the stored copy of the served catalog.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServedChange {
    /// The rules and revision of the new copy.
    pub made_by: ServedBy,
    /// Whether to delete all stored apps first.
    pub replaces_all: bool,
    /// New and changed apps.
    pub put: Vec<ServedApp>,
    /// Slugs of removed apps.
    pub removed: Vec<String>,
}

/// A revision to record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRevision {
    /// The token of the `ETag`.
    pub token: String,
    /// When the change was made.
    pub changed_at: Timestamp,
    /// A hash over every served byte.
    pub content_hash: String,
    /// The number of apps, in total and per source.
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
            && self.put_source_states.is_empty()
            && self.put_documents.is_empty()
            && self.removed_documents.is_empty()
            && self.put_records.is_empty()
            && self.removed_records.is_empty()
            && self.added_apps.is_empty()
            && self.removed_apps.is_empty()
    }
}
