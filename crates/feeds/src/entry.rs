//! An entry of a feed, whatever the format.

use appstitch_types::{ChangeKind, DriftEvent, revision_check};
use jiff::Timestamp;
use serde_json::value::RawValue;

use crate::{
    drift_event,
    links::{changes_path, page_path},
    named_change::NamedChange,
};

/// The authority in the identifiers of feeds and entries. Identifiers must survive a move of the
/// service, so they do not contain its address. Nobody can own this name, so nobody else makes
/// identifiers with it; the epoch of the journal tells services apart.
pub const AUTHORITY: &str = "appstitch.internal,2026";

#[derive(Debug, Clone)]
pub struct Entry {
    /// An identifier that no other entry ever has.
    pub(crate) id: String,
    pub(crate) title: String,
    /// Some lines of plain text.
    pub(crate) summary: String,
    pub(crate) at: Timestamp,
    pub(crate) path: String,
    pub(crate) category: &'static str,
    /// The same for programs, as JSON. Atom has no place for it.
    pub(crate) data: Option<Box<RawValue>>,
}

impl Entry {
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// The entry with the same for programs, which is JSON.
    #[must_use]
    pub fn with_data(mut self, json: &str) -> Self {
        self.data = RawValue::from_string(json.to_owned()).ok();
        self
    }

    pub fn of_change(named: &NamedChange<'_>, epoch: &str) -> Self {
        let (change, title) = (named.change, named.title());
        let summary = named.summary();
        Self {
            id: id("changes", epoch, change.seq, &change.revision),
            summary: if summary.is_empty() { title.clone() } else { summary },
            title,
            at: change.at,
            path: named.path(),
            category: change.kind.word(),
            data: None,
        }
    }

    /// One entry for many apps that a revision added: whoever follows the catalog does not want to read
    /// thousands of entries after it was set up. `newest` is the number of the last of these changes.
    pub fn of_added(
        count: usize,
        (newest, at): (u64, Timestamp),
        revision: &str,
        epoch: &str,
    ) -> Self {
        Self {
            // Another feed has another number of them.
            id: id(&format!("added-{count}"), epoch, newest, revision),
            title: format!("{count} apps added"),
            summary: "So many apps were added at once that they are one entry.".to_owned(),
            at,
            path: "/changes?kind=added".to_owned(),
            category: ChangeKind::Added.word(),
            data: None,
        }
    }

    pub fn of_drift(event: &DriftEvent, epoch: &str) -> Self {
        Self {
            id: id("drift", epoch, event.seq, &event.revision),
            title: drift_event::title(event),
            summary: drift_event::summary(event),
            at: event.at,
            // Of an app that left the catalog there are only its changes.
            path: if event.versions.is_empty() {
                changes_path(&event.slug)
            } else {
                page_path(&event.slug)
            },
            category: event.kind.word(),
            data: serde_json::value::to_raw_value(event).ok(),
        }
    }
}

/// The identifier of an entry. A restored or copied store uses numbers of its epoch again for other
/// changes; the check tells them apart.
fn id(kind: &str, epoch: &str, seq: u64, revision: &str) -> String {
    format!("tag:{AUTHORITY}:{kind}:{epoch}-{seq}-{}", revision_check(Some(revision)))
}
