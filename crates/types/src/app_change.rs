//! One change of one app, as the journal of changes tells it.

mod fields;
mod squash;
#[cfg(test)]
mod tests;

pub use fields::{RecordFields, apply_change, apply_squashed, changed_fields};
pub use squash::{Squash, UnreadChange};

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

crate::words! {
    /// What happened to an app.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
    )]
    #[serde(rename_all = "lowercase")]
    pub enum ChangeKind {
        /// The app is new in the catalog.
        Added = "added",
        /// At least one field of the app changed.
        Changed = "changed",
        /// The app left the catalog.
        Removed = "removed",
        /// The app got another slug.
        Renamed = "renamed",
    }
}

/// The last part of the token of a position: the beginning of the hash in its revision's token. Without
/// a revision it is all zeros. Two stores that use a number for different changes differ here.
pub fn revision_check(revision: Option<&str>) -> &str {
    const NONE: &str = "000000";
    let hash = revision.and_then(|revision| revision.rsplit('-').next());
    hash.and_then(|hash| hash.get(..NONE.len())).unwrap_or(NONE)
}

/// The fields of a served record, in the order of the record. The journal compares these.
pub const RECORD_FIELDS: [&str; 11] = [
    "slug", "bundle_id", "name", "vendor", "current_version", "latest_release_date",
    "download_url", "install_method", "expected_team_id", "sha256", "sources",
];

/// The old and the new value of one field. Null means that the app had no value, or was not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FieldChange {
    /// The value before.
    #[schema(required = true)]
    pub from: Value,
    /// The value after.
    #[schema(required = true)]
    pub to: Value,
}

/// One change of one app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AppChange {
    /// The number of the change. It grows and is never used twice within an epoch.
    pub seq: u64,
    /// When the revision was published.
    #[schema(value_type = String, format = "date-time")]
    pub at: Timestamp,
    /// The token of the revision.
    pub revision: String,
    /// The app's slug after the change, or the last one if it was removed.
    pub slug: String,
    /// What happened.
    pub kind: ChangeKind,
    /// The changed fields of the record by name, `slug` included if the app was renamed. An added app
    /// has every field that is not null, a removed one likewise.
    pub fields: BTreeMap<String, FieldChange>,
}

/// A page of changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChangesResponse {
    /// The position after which the page begins.
    pub from: String,
    /// The token of the catalog that the page leads to: the present one, or if there is `more`, the
    /// revision of the last change.
    pub to: String,
    /// The position to send as `since` next time.
    pub next: String,
    /// Whether there are further changes.
    pub more: bool,
    /// The changes, oldest first.
    pub changes: Vec<AppChange>,
}
