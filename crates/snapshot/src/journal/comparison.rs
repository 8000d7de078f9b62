//! What changed between two catalogs, before it has numbers.

use std::collections::BTreeMap;

use appstitch_types::{ChangeKind, DriftEvent, DriftEventKind, FieldChange, SourceVersion};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub enum Comparison {
    /// App by app, ordered by slug.
    Rows {
        changes: Vec<NewChange>,
        /// Which sources start or stop to lag.
        drift: Vec<NewDrift>,
    },
    /// Too much, or it is not known.
    NewEpoch,
}

/// A change without its number and revision.
pub struct NewChange {
    pub(crate) slug: String,
    pub(crate) kind: ChangeKind,
    pub(crate) vendor: Option<String>,
    pub(crate) fields: BTreeMap<String, FieldChange>,
}

/// A drift event without its number and revision.
#[derive(Serialize, Deserialize)]
pub struct NewDrift {
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) vendor: Option<String>,
    pub(crate) kind: DriftEventKind,
    pub(crate) source: String,
    pub(crate) versions: Vec<SourceVersion>,
}

impl NewDrift {
    pub(super) fn into_event(self, seq: u64, at: Timestamp, revision: &str) -> DriftEvent {
        let Self { slug, name, vendor, kind, source, versions } = self;
        let revision = revision.to_owned();
        DriftEvent { seq, at, revision, slug, name, vendor, kind, source, versions }
    }
}
