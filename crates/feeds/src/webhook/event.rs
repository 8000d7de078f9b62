//! The events of webhooks.

use appstitch_types::{AppChange, revision_check};
use jiff::Timestamp;

use crate::{
    links::{Links, encoded},
    named_change::NamedChange,
};

/// The bytes that no body exceeds. Standard Webhooks recommend less than 20 kB; the chat services
/// accept more.
pub const LONGEST_BODY: usize = 20_000;

pub const LONGEST_LIST: usize = 50;

#[derive(Debug, Clone)]
pub enum WebhookEvent<'a> {
    Changed(CatalogChanged<'a>),
    /// The journal no longer reaches back to the last delivery: the receiver has to read the whole
    /// catalog once.
    Reset {
        at: Timestamp,
        revision: &'a str,
        /// The token of the newest change, from which deliveries continue.
        to: &'a str,
    },
    Test {
        at: Timestamp,
        hook: &'a str,
    },
}

impl WebhookEvent<'_> {
    /// The type of the event, as the standard body names it.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Changed(_) => "catalog.changed",
            Self::Reset { .. } => "catalog.reset",
            Self::Test { .. } => "catalog.test",
        }
    }

    /// What a chat message begins with.
    pub(super) fn headline(&self) -> String {
        match self {
            Self::Changed(changed) if changed.count == 1 => "1 app changed".to_owned(),
            Self::Changed(changed) => format!("{} changes in the catalog", changed.count),
            Self::Reset { .. } => {
                "Too many changes since the last message to list them: read the whole catalog"
                    .to_owned()
            }
            Self::Test { .. } => "This is a test: the webhook works".to_owned(),
        }
    }
}

pub(super) const WHOLE_CATALOG: &str = "/apps";

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
    pub count: usize,
    /// The first ones, ascending. More than fit into a body are of no use.
    pub changes: &'a [NamedChange<'a>],
}

impl CatalogChanged<'_> {
    fn token(&self, change: &AppChange) -> String {
        let check = revision_check(Some(&change.revision));
        format!("{}-{}-{check}", self.epoch, change.seq)
    }

    /// The address of the changes after the first `listed` ones; `None` if there are no more.
    pub(super) fn more(&self, listed: usize, links: &Links) -> Option<String> {
        (listed < self.count).then(|| links.reference(&self.more_path(listed)))
    }

    /// The path of the changes after the first `listed` ones.
    pub(super) fn more_path(&self, listed: usize) -> String {
        let last = listed.checked_sub(1).and_then(|last| self.changes.get(last));
        let token = last.map_or_else(|| self.after.to_owned(), |last| self.token(last.change));
        format!("/changes?since={}", encoded(&token))
    }
}
