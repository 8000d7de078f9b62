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
    /// The bundle identifier that the app has, or had when it was last published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundle_id: Option<String>,
    /// The current version when it was last published. After a downgrade it is not the newest one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<String>,
    /// Newest first.
    pub versions: Vec<PublishedVersion>,
}

impl TitleHistory {
    /// The version that was current when the title was last published.
    pub(crate) fn current(&self) -> Option<&PublishedVersion> {
        let is_current = |known: &&PublishedVersion| Some(&known.version) == self.current.as_ref();
        self.versions.iter().find(is_current).or(self.versions.first())
    }
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
    /// The bundle identifier that the app had then, if it has another one now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundle_id: Option<String>,
}
