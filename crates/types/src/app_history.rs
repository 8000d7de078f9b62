//! The versions that an app had.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The versions that an app had since the journal of changes began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AppHistory {
    /// The app's slug.
    pub slug: String,
    /// The versions, newest first. A version that came back is listed again.
    pub versions: Vec<AppVersion>,
}

/// A version that an app had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AppVersion {
    /// The version.
    pub version: String,
    /// When the catalog first had it; null if that was before the journal began.
    #[schema(required = true, value_type = Option<String>, format = "date-time")]
    pub first_seen: Option<Timestamp>,
    /// When another version took its place, or the app left the catalog; null if it is the current one.
    #[schema(required = true, value_type = Option<String>, format = "date-time")]
    pub until: Option<Timestamp>,
}
