//! The formats of feeds.

#[cfg(test)]
mod tests;

use crate::{atom, feed::Feed, json_feed, links::Links};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FeedFormat {
    Atom,
    Json,
}

impl Feed {
    pub fn text(&self, format: FeedFormat, links: &Links) -> String {
        match format {
            FeedFormat::Atom => atom::text(self, links),
            FeedFormat::Json => json_feed::text(self, links),
        }
    }
}
