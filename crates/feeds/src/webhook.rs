//! The bodies of webhooks: what is sent, in the form that the receiver reads.
//!
//! Every body is JSON of less than [`LONGEST_BODY`] bytes. It has the first changes, as many as
//! fit, and says where the others are.

mod changed;
mod slack;
mod standard;
mod teams;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use changed::CatalogChanged;

use crate::Links;

/// The bytes that no body exceeds. Standard Webhooks recommend less than 20 kB; the chat services
/// accept more.
pub const LONGEST_BODY: usize = 20_000;

/// The most changes that a body lists.
pub const LONGEST_LIST: usize = 50;

/// The form of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BodyFormat {
    /// As Standard Webhooks have it: type, timestamp, data.
    #[default]
    Standard,
    /// A message for an incoming webhook of Slack.
    Slack,
    /// An adaptive card for a workflow of Microsoft Teams.
    Teams,
}

impl BodyFormat {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Standard, Self::Slack, Self::Teams];

    /// The name used in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Slack => "slack",
            Self::Teams => "teams",
        }
    }

    /// Looks up a format by its name, case-sensitive.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.word() == word)
    }
}

/// What a webhook is told.
#[derive(Debug, Clone)]
pub enum WebhookEvent<'a> {
    /// Apps changed.
    Changed(CatalogChanged<'a>),
    /// The journal no longer reaches back to the last delivery: the receiver has to read the whole
    /// catalog once.
    Reset {
        /// When that was noticed.
        at: Timestamp,
        /// The token of the revision.
        revision: &'a str,
        /// The token of the newest change, from which deliveries continue.
        to: &'a str,
    },
    /// Somebody tries the webhook.
    Test {
        /// When it was tried.
        at: Timestamp,
        /// The name of the webhook.
        hook: &'a str,
    },
}

impl WebhookEvent<'_> {
    /// The type of the event, as the standard body names it.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Changed(_) => "catalog.changed",
            Self::Reset { .. } => "catalog.reset",
            Self::Test { .. } => "catalog.test",
        }
    }

    /// The body as JSON.
    #[must_use]
    pub fn body(&self, format: BodyFormat, links: &Links) -> String {
        match format {
            BodyFormat::Standard => standard::body(self, links),
            BodyFormat::Slack => slack::body(self, links),
            BodyFormat::Teams => teams::body(self, links),
        }
    }

    /// What a chat message begins with.
    fn headline(&self) -> String {
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

/// The path of the whole catalog.
const WHOLE_CATALOG: &str = "/apps";

#[cfg(test)]
mod tests;
