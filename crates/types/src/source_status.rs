//! The state of the sources: what they contribute, and how recent it is.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The state of every source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SourceStatusResponse {
    /// Always `label_tool`, `cask_catalog`, `recipe_index`, `store_listing` and `mdm_installer`,
    /// in this order; then `label_versions` and `patch_titles`, if they were received.
    pub sources: Vec<SourceStatus>,
    /// Where the catalog comes from; missing if this service stitches it itself. A mirror does not have
    /// the documents of the sources, and does not know when they were received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub mirror: Option<MirrorStatus>,
}

/// The catalog that a mirror shows, and how old it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MirrorStatus {
    /// The URL of the catalog; null if it came from a folder.
    #[schema(required = true)]
    pub origin: Option<String>,
    /// The name of the catalog.
    pub catalog: String,
    /// Grows with every revision of the catalog.
    pub serial: u64,
    /// When the origin published the revision.
    pub published_at: Timestamp,
    /// How fetching it went; missing if the server does not follow the origin by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub refresh: Option<SourceRefreshStatus>,
}

/// The state of one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SourceStatus {
    /// The source's token.
    pub source: String,
    /// The number of stored entries: labels, casks, recipes, store listings, titles
    /// or labels with a tracked version.
    pub documents: u64,
    /// The number of apps that it contributes to.
    pub apps: u64,
    /// When a file was last received or its server reported no change; null if never.
    #[schema(required = true)]
    pub received_at: Option<Timestamp>,
    /// When the entries last changed; null if no change was received yet.
    #[schema(required = true)]
    pub changed_at: Option<Timestamp>,
    /// The number of rejected entries in the files received last; null if never received.
    #[schema(required = true)]
    pub rejected: Option<u64>,
    /// How refreshing the source went; missing if the server does not refresh by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub refresh: Option<SourceRefreshStatus>,
}

/// How refreshing a source went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SourceRefreshStatus {
    /// When the last attempt began.
    pub tried_at: Timestamp,
    /// When the last attempt without a failure ended; null if there was none.
    #[schema(required = true)]
    pub succeeded_at: Option<Timestamp>,
    /// When the next attempt is due.
    pub next_at: Timestamp,
    /// Why the last attempt failed; null if it did not.
    #[schema(required = true)]
    pub problem: Option<String>,
    /// The first five rejected entries of the last files that were read.
    pub rejects: Vec<RejectedEntry>,
}

/// An entry of a source that is not used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RejectedEntry {
    /// The source and the entry.
    pub what: String,
    /// Why it is rejected.
    pub why: String,
}
