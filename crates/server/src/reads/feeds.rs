//! Feeds of changes, as Atom and as JSON Feed.
//!
//! One file per feed. They differ in what they are about; this file has what they have in common.

pub(crate) mod app;
pub(crate) mod archive;
pub(crate) mod catalog;
pub(crate) mod drift;
pub(crate) mod vendor;

use appstitch_feeds::FeedFormat;
use appstitch_snapshot::{FeedRequest, FeedScope};

use super::query::read_truth;
use crate::{
    http_error::HttpError,
    message::{Asked, ReadContext, Reply},
};

/// A feed of changes, with new versions or with all changes.
fn changes(
    context: &ReadContext<'_>,
    asked: &Asked<'_>,
    scope: FeedScope,
    format: FeedFormat,
) -> Result<Reply, HttpError> {
    let all = wants_all(asked.query)?;
    found(context, FeedRequest { scope, format, all })
}

fn found(context: &ReadContext<'_>, request: FeedRequest) -> Result<Reply, HttpError> {
    Ok(Reply::Feed(Box::new(context.snapshot.find_feed(request)?)))
}

/// Whether all changes are wanted; of a repeated parameter the last is used.
fn wants_all(query: Option<&str>) -> Result<bool, HttpError> {
    let parameters = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let all = parameters.filter(|(name, _)| name == "all").last().map(|(_, value)| value);
    match read_truth("all", all.as_deref()) {
        Ok(all) => Ok(all.unwrap_or(false)),
        Err(fault) => Err(HttpError::Invalid(vec![*fault])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_changes_are_wanted_on_request() {
        for (query, expected) in [
            (None, Some(false)),
            (Some(""), Some(false)),
            (Some("all=1"), Some(true)),
            (Some("x=2&all=0&all=true"), Some(true)),
            (Some("all=no"), Some(false)),
            (Some("all=maybe"), None),
            (Some("all"), None),
        ] {
            assert_eq!(wants_all(query).ok(), expected, "{query:?}");
        }
    }
}
