//! The token of a revision, which changes if and only if the served bytes change.

use appstitch_store::{NewRevision, Revision};
use jiff::Timestamp;

/// The token of a store in which nothing has been published yet.
pub(crate) const NEVER_PUBLISHED: &str = "empty";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedRevision {
    /// The token inside the `ETag`.
    pub token: String,
    pub changed_at: Timestamp,
}

pub(crate) fn token_of(revision: Option<&PublishedRevision>) -> &str {
    revision.map_or(NEVER_PUBLISHED, |revision| &revision.token)
}

impl From<Revision> for PublishedRevision {
    fn from(revision: Revision) -> Self {
        Self { token: revision.token, changed_at: revision.changed_at }
    }
}

impl From<&NewRevision> for PublishedRevision {
    fn from(revision: &NewRevision) -> Self {
        Self { token: revision.token.clone(), changed_at: revision.changed_at }
    }
}

/// The time of the change, followed by enough of the content hash to distinguish two changes in
/// the same second.
pub(crate) fn token(changed_at: Timestamp, content_hash: &str) -> String {
    let hash = content_hash.get(..12).unwrap_or(content_hash);
    format!("{}-{hash}", changed_at.strftime("%Y%m%dT%H%M%SZ"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_carries_its_time_and_content() {
        let time = "2026-03-05T06:07:08.9Z".parse().unwrap();
        assert_eq!(token(time, "0123456789abcdef"), "20260305T060708Z-0123456789ab");
    }
}
