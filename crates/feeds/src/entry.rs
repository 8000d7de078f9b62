//! An entry of a feed, whatever the format.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{NamedChange, NamedDrift, links::app_path};

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
    pub fn of_drift(drift: &NamedDrift<'_>, epoch: &str) -> Self {
        Self {
            id: format!("tag:{AUTHORITY}:drift:{epoch}-{}", drift.seq),
            title: drift.title(),
            summary: drift.summary(),
            at: drift.at,
            path: format!("{}/drift", app_path(drift.slug)),
            category: drift.category(),
            data: json!({
                "seq": drift.seq,
                "slug": drift.slug,
                "source": drift.source,
                "lags": drift.lags,
                "version": drift.version,
                "newest": drift.newest,
            }),
        }
    }
}
