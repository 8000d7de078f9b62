//! A version and when a source first had it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A version and when a source first had it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenVersion {
    /// The version.
    pub version: String,
    /// When it was first seen.
    pub at: Timestamp,
}
