//! An entry of a feed, whatever the format.

use appstitch_catalog::DriftEvent;
use jiff::Timestamp;
use serde_json::Value;

use crate::{
    NamedChange, drift_event,
    links::{app_path, history_path},
};

/// The authority in the identifiers of feeds and entries. Identifiers must survive a move of the
/// service, so they do not contain its address. Nobody can own this name, so nobody else makes
/// identifiers with it; the epoch of the journal tells services apart.
pub const AUTHORITY: &str = "appstitch.internal,2026";

/// An entry of a feed.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// An identifier that no other entry ever has.
    pub(crate) id: String,
    pub(crate) title: String,
    /// Some lines of plain text.
    pub(crate) summary: String,
    pub(crate) at: Timestamp,
    /// What it is about, as a path.
    pub(crate) path: String,
    pub(crate) category: &'static str,
    /// The same for programs.
    pub(crate) data: Value,
}

impl Entry {
    /// When it happened.
    #[must_use]
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// An entry about a change of an app.
    #[must_use]
    pub fn of_change(named: &NamedChange<'_>, epoch: &str) -> Self {
        let (change, title) = (named.change, named.title());
        let summary = named.summary();
        Self {
            id: format!("tag:{AUTHORITY}:changes:{epoch}-{}", change.seq),
            summary: if summary.is_empty() { title.clone() } else { summary },
            title,
            at: change.at,
            path: named.path(),
            category: change.kind.word(),
            data: serde_json::to_value(change).unwrap_or_default(),
        }
    }

    /// An entry about a source that starts or stops to lag.
    #[must_use]
    pub fn of_drift(event: &DriftEvent, epoch: &str) -> Self {
        Self {
            id: format!("tag:{AUTHORITY}:drift:{epoch}-{}", event.seq),
            title: drift_event::title(event),
            summary: drift_event::summary(event),
            at: event.at,
            // An app that left the catalog has only a history.
            path: if event.versions.is_empty() {
                history_path(&event.slug)
            } else {
                format!("{}/drift", app_path(&event.slug))
            },
            category: event.kind.word(),
            data: serde_json::to_value(event).unwrap_or_default(),
        }
    }
}
