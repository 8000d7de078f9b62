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

/// Whether a text has the form of a token, such as `20260305T060708Z-0123456789ab`.
pub fn is_revision_token(text: &str) -> bool {
    text.split_once("Z-").is_some_and(|(time, hash)| {
        let are_digits = |part: &str, digits| {
            part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        time.split_once('T').is_some_and(|(day, time)| are_digits(day, 8) && are_digits(time, 6))
            && is_hex(hash, 12)
    })
}

pub(crate) fn is_hex(text: &str, length: usize) -> bool {
    let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == length && text.bytes().all(hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_the_form_of_a_token_is_one() {
        assert!(is_revision_token("20260305T060708Z-0123456789ab"));
        for text in ["", NEVER_PUBLISHED, "../../../T60708Z-0123456789ab", "20260305T060708Z-0123"]
        {
            assert!(!is_revision_token(text), "{text}");
        }
    }

    #[test]
    fn a_token_carries_its_time_and_content() {
        let time = "2026-03-05T06:07:08.9Z".parse().unwrap();
        assert_eq!(token(time, "0123456789abcdef"), "20260305T060708Z-0123456789ab");
    }
}
