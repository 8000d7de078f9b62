//! The journal of changes, as stored.

use jiff::Timestamp;

use crate::edition::Edition;

/// Where the journal begins and ends.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JournalHead {
    /// Names the sequence of numbers; empty if the store has no journal.
    pub epoch: String,
    /// The last number that was used.
    pub newest: u64,
    /// The catalog can be followed from this number on.
    pub floor: u64,
    /// The time of that number; `None` if the journal begins with an empty catalog.
    pub floor_at: Option<Timestamp>,
}

/// The whole journal, read in one transaction.
#[derive(Debug, Clone, Default)]
pub struct StoredJournal {
    pub edition: Edition,
    pub head: JournalHead,
    /// The revisions from `floor` on, oldest first.
    pub revisions: Vec<JournalRevision>,
    pub changes: Vec<StoredChange>,
    pub drift: Vec<StoredDriftEvent>,
    /// One row for each app that the patch source ever published.
    pub patch_titles: Vec<StoredPatchTitle>,
}

/// A revision and the last number that it includes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalRevision {
    pub token: String,
    pub changed_at: Timestamp,
    pub newest: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredChange {
    pub seq: u64,
    /// The token of its revision. A commit writes the revision that is published with it.
    pub revision: String,
    pub at: Timestamp,
    pub slug: String,
    pub kind: String,
    pub vendor: Option<String>,
    /// The changed fields, as JSON.
    pub fields: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDriftEvent {
    pub seq: u64,
    pub revision: String,
    pub at: Timestamp,
    pub body: String,
}

/// What the patch source has published of an app. It outlives the changes in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPatchTitle {
    pub slug: String,
    /// As JSON.
    pub body: String,
}

/// What a revision writes to the journal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JournalChange {
    /// Where the journal begins and ends afterwards.
    pub head: JournalHead,
    /// Whether everything before is forgotten, because a new epoch begins.
    pub forgets_all: bool,
    /// Whether changes up to the new floor are folded to the last one of each app.
    pub folds: bool,
    pub changes: Vec<StoredChange>,
    pub drift: Vec<StoredDriftEvent>,
    /// The rows that are new or differ.
    pub patch_titles: Vec<StoredPatchTitle>,
}
