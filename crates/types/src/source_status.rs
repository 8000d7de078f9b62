//! The state of the sources: what they contribute, and how recent it is.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The state of every source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SourceStatusResponse {
    /// Always `label_tool`, `cask_catalog`, `recipe_index`, `store_listing` and `mdm_installer`,
    /// in this order; then `label_versions`, if it was received.
    pub sources: Vec<SourceStatus>,
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
}
