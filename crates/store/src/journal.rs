//! The journal of changes, as stored.

use jiff::Timestamp;

use crate::Edition;

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
    /// The edition of the store.
    pub edition: Edition,
    /// Where it begins and ends.
    pub head: JournalHead,
    /// The revisions from `floor` on, oldest first.
    pub revisions: Vec<JournalRevision>,
    /// The changes, by number.
    pub changes: Vec<StoredChange>,
    /// The drift events, by number.
    pub drift: Vec<StoredDriftEvent>,
}

/// A revision and the last number that it includes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalRevision {
    /// The token of the revision.
    pub token: String,
    /// When it was published.
    pub changed_at: Timestamp,
    /// The last number that it includes.
    pub newest: u64,
}

/// One change of one app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredChange {
    /// Its number.
    pub seq: u64,
    /// The token of its revision. A commit writes the revision that is published with it.
    pub revision: String,
    /// When the revision was published.
    pub at: Timestamp,
    /// The app's slug.
    pub slug: String,
    /// What happened.
    pub kind: String,
    /// The app's vendor.
    pub vendor: Option<String>,
    /// The changed fields, as JSON.
    pub fields: String,
}

/// One drift event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDriftEvent {
    /// Its number.
    pub seq: u64,
    /// The token of its revision. A commit writes the revision that is published with it.
    pub revision: String,
    /// When the revision was published.
    pub at: Timestamp,
    /// The rest of it, as JSON.
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
    /// New changes, by number.
    pub changes: Vec<StoredChange>,
    /// New drift events, by number.
    pub drift: Vec<StoredDriftEvent>,
}
