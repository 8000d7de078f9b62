//! The moment at which a source starts or stops to lag behind the others.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::drift::SourceVersion;

crate::words! {
    /// What happened to the drift of an app.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
    )]
    #[serde(rename_all = "lowercase")]
    pub enum DriftEventKind {
        /// The source is behind now.
        Started = "started",
        /// The source is no longer behind, or the app left the catalog.
        Stopped = "stopped",
    }
}

/// A source that starts or stops to lag. The labels and casks are compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DriftEvent {
    /// The number of the event, from the same sequence as those of the changes.
    pub seq: u64,
    /// When the revision was published.
    #[schema(value_type = String, format = "date-time")]
    pub at: Timestamp,
    /// The token of the revision.
    pub revision: String,
    /// The app's slug.
    pub slug: String,
    /// The app's name.
    pub name: String,
    /// The app's vendor.
    pub vendor: Option<String>,
    /// Whether the source starts or stops to lag.
    pub kind: DriftEventKind,
    /// The token of the source that lags.
    pub source: String,
    /// What the sources state now. Empty if the app left the catalog.
    pub versions: Vec<SourceVersion>,
}
