//! A feed, whatever the format.

use jiff::Timestamp;

use crate::{
    entry::{AUTHORITY, Entry},
    links::encoded,
};

/// A feed, newest entry first.
#[derive(Debug, Clone)]
pub struct Feed {
    /// What the feed is about, for people.
    pub title: String,
    /// What the feed is about, for its identifier; the same in every format and archive.
    pub name: String,
    pub epoch: String,
    pub path: String,
    pub about: String,
    /// When the newest entry was published, or the catalog if there is none.
    pub updated: Timestamp,
    pub entries: Vec<Entry>,
    /// The path of the feed that continues, if this is an archive (RFC 5005).
    pub current: Option<String>,
    /// The path of the next older archive, if there is one (RFC 5005).
    pub previous_archive: Option<String>,
}

impl Feed {
    pub(crate) fn id(&self) -> String {
        format!("tag:{AUTHORITY}:feed:{}:{}", self.epoch, encoded(&self.name))
    }
}
