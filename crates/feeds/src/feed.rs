//! A feed, whatever the format.

use jiff::Timestamp;

use crate::{Entry, Links, atom, entry::AUTHORITY, json_feed};

/// The format of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FeedFormat {
    /// Atom, RFC 4287.
    Atom,
    /// JSON Feed 1.1.
    Json,
}

/// A feed, newest entry first.
#[derive(Debug, Clone)]
pub struct Feed {
    /// What the feed is about, for people.
    pub title: String,
    /// What the feed is about, for its identifier; the same in every format and archive.
    pub name: String,
    /// The epoch of the journal.
    pub epoch: String,
    /// Its own path, with its query.
    pub path: String,
    /// The path of what it is about.
    pub about: String,
    /// When the newest entry was published, or the catalog if there is none.
    pub updated: Timestamp,
    /// Its entries.
    pub entries: Vec<Entry>,
    /// The path of the feed that continues, if this is an archive (RFC 5005).
    pub current: Option<String>,
    /// The path of the next older archive, if there is one (RFC 5005).
    pub previous_archive: Option<String>,
}

impl Feed {
    /// The feed as text.
    #[must_use]
    pub fn text(&self, format: FeedFormat, links: &Links) -> String {
        match format {
            FeedFormat::Atom => atom::text(self, links),
            FeedFormat::Json => json_feed::text(self, links),
        }
    }

    /// An identifier that no other feed has.
    pub(crate) fn id(&self) -> String {
        format!("tag:{AUTHORITY}:feed:{}:{}", self.epoch, crate::links::encoded(&self.name))
    }
}

#[cfg(test)]
mod tests;
