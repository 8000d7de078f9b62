//! What happened since the last delivery.

use appstitch_catalog::{AppChange, revision_check};
use jiff::Timestamp;

use crate::{Links, NamedChange, links::encoded};

/// The changes of a delivery.
#[derive(Debug, Clone)]
pub struct CatalogChanged<'a> {
    /// When the newest of them was published.
    pub at: Timestamp,
    /// The token of the revision that has all of them.
    pub revision: &'a str,
    /// The epoch of the journal, the first part of its tokens.
    pub epoch: &'a str,
    /// The token of the position before them.
    pub after: &'a str,
    /// The token of the position up to which they are complete.
    pub to: &'a str,
    /// How many there are.
    pub count: usize,
    /// The first ones, ascending. More than fit into a body are of no use.
    pub changes: &'a [NamedChange<'a>],
}

impl CatalogChanged<'_> {
    /// The token of a change.
    fn token(&self, change: &AppChange) -> String {
        let check = revision_check(Some(&change.revision));
        format!("{}-{}-{check}", self.epoch, change.seq)
    }

    /// The address of the changes after the first `told` ones; `None` if there are no more.
    pub(super) fn more(&self, told: usize, links: &Links) -> Option<String> {
        (told < self.count).then(|| links.reference(&self.more_path(told)))
    }

    /// The path of the changes after the first `told` ones.
    pub(super) fn more_path(&self, told: usize) -> String {
        let last = told.checked_sub(1).and_then(|last| self.changes.get(last));
        let token = last.map_or_else(|| self.after.to_owned(), |last| self.token(last.change));
        format!("/changes?since={}", encoded(&token))
    }
}
