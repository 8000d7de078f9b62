//! A change to a store, computed in memory and written in one transaction.

use jiff::Timestamp;

use crate::{
    contents::{Document, DocumentName, FetchedFrom, ServedApp, ServedBy, StoredRecord},
    edition::Edition,
    journal::JournalChange,
    source_state::SourceState,
};

/// The rows that a commit writes. All other rows stay unchanged.
#[derive(Debug, Clone, Default)]
pub struct Change {
    pub base_edition: Edition,
    pub put_documents: Vec<Document>,
    pub removed_documents: Vec<DocumentName>,
    pub put_records: Vec<StoredRecord>,
    pub removed_records: Vec<String>,
    /// Slugs of added apps, in the order in which they get their insertion numbers.
    pub added_apps: Vec<String>,
    pub removed_apps: Vec<String>,
    pub put_fetched: Vec<FetchedFrom>,
    /// Validators that are no longer valid, as source and URL.
    pub removed_fetched: Vec<(String, String)>,
    pub put_source_states: Vec<SourceState>,
    /// The revision to record, if served bytes change.
    pub revision: Option<NewRevision>,
    /// What the revision writes to the journal. Without a revision it is not written.
    pub journal: Option<JournalChange>,
    pub served: Option<ServedChange>,
}

/// A change to the stored copy of the served catalog.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServedChange {
    /// The rules and revision of the new copy.
    pub made_by: ServedBy,
    /// Whether to delete all stored apps first.
    pub replaces_all: bool,
    pub put: Vec<ServedApp>,
    pub removed: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRevision {
    pub token: String,
    pub changed_at: Timestamp,
    /// A hash over every served byte.
    pub content_hash: String,
    pub counts: RevisionCounts,
}

/// The number of apps, in total and by source. They are written and never read: the columns of the
/// revision table require them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RevisionCounts {
    pub total_apps: u64,
    pub label_tool: u64,
    pub cask_catalog: u64,
    pub recipe_index: u64,
    pub mdm_installer: u64,
}

impl Change {
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
