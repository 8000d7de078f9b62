//! The result of publishing.

use appstitch_catalog::LeftOut;

use crate::ResolvedOutcome;

/// The effect of a change on the served catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// The token served now.
    pub token: String,
    /// Whether the served catalog changed.
    pub changed: bool,
    /// The number of apps served now.
    pub total: u64,
    /// The number of added apps.
    pub added: usize,
    /// The number of changed apps.
    pub updated: usize,
    /// The number of removed apps.
    pub removed: usize,
    /// What became of resolved labels; `None` if the change had none.
    pub resolved: Option<ResolvedOutcome>,
    /// What was left out of the catalog because of the bounds.
    pub left_out: LeftOut,
}
