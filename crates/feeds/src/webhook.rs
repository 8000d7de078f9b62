//! The bodies of webhooks: what is sent, in the form that the receiver reads.
//!
//! Every body is JSON of less than [`LONGEST_BODY`] bytes. It has the first changes, as many as
//! fit, and says where the others are.

mod event;
mod slack;
mod standard;
mod teams;
#[cfg(test)]
mod tests;

pub use event::{CatalogChanged, LONGEST_BODY, LONGEST_LIST, WebhookEvent};

use serde::{Deserialize, Serialize};

use crate::links::Links;

appstitch_types::words! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum BodyFormat {
        /// As Standard Webhooks have it: type, timestamp, data.
        #[default]
        Standard = "standard",
        Slack = "slack",
        /// An adaptive card for a workflow of Microsoft Teams.
        Teams = "teams",
    }
}

impl WebhookEvent<'_> {
    pub fn body(&self, format: BodyFormat, links: &Links) -> String {
        match format {
            BodyFormat::Standard => standard::body(self, links),
            BodyFormat::Slack => slack::body(self, links),
            BodyFormat::Teams => teams::body(self, links),
        }
    }
}
