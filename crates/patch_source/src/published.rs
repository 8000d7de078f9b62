//! What is kept of the titles that were published.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What is kept of a title between revisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TitleHistory {
    /// A hash of what is served.
    pub state: String,
    /// The time of the last revision that changed it.
    pub modified: Timestamp,
    /// Newest first.
    pub versions: Vec<PublishedVersion>,
}

/// A version that was published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedVersion {
    pub version: String,
    /// When it was released; when it was first seen if that is not known.
    pub released: Timestamp,
    /// What the app needed while this was its newest version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum_macos: Option<String>,
}
