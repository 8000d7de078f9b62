//! `GET /drift/feed.atom`, `GET /drift/feed.json`: sources that start or stop to lag.

use appstitch_feeds::FeedFormat;
use appstitch_snapshot::{FeedRequest, FeedScope};

use super::found;
use crate::{
    http_error::HttpError,
    message::{Asked, ReadContext, Reply},
    route::Route,
};

/// The route of the Atom feed.
pub(crate) const ATOM_ROUTE: Route = Route::get::<__path_read_atom>("/drift/feed.atom", read_atom);
/// The route of the JSON feed.
pub(crate) const JSON_ROUTE: Route = Route::get::<__path_read_json>("/drift/feed.json", read_json);

/// Follow drift as Atom
///
/// Returns an entry whenever a label or a cask of an app starts or stops to lag behind the other:
/// at least the newest 100, and everything of the last 48 hours, counted from the newest one.
#[utoipa::path(
    get,
    path = ATOM_ROUTE.pattern,
    operation_id = "get_drift_feed_atom",
    tag = "feeds",
    responses(
        (status = 200, description = "An Atom feed", content((String = "application/atom+xml")), headers(("etag" = String, description = "The catalog's token"))),
        (status = 304, description = "The client's copy is up to date"),
    )
)]
fn read_atom(context: &ReadContext<'_>, _: &Asked<'_>) -> Result<Reply, HttpError> {
    drift(context, FeedFormat::Atom)
}

/// Follow drift as JSON Feed
///
/// Returns the same entries as `/drift/feed.atom` as a JSON Feed 1.1.
#[utoipa::path(
    get,
    path = JSON_ROUTE.pattern,
    operation_id = "get_drift_feed_json",
    tag = "feeds",
    responses(
        (status = 200, description = "A JSON feed", content((Object = "application/feed+json")), headers(("etag" = String, description = "The catalog's token"))),
        (status = 304, description = "The client's copy is up to date"),
    )
)]
fn read_json(context: &ReadContext<'_>, _: &Asked<'_>) -> Result<Reply, HttpError> {
    drift(context, FeedFormat::Json)
}

fn drift(context: &ReadContext<'_>, format: FeedFormat) -> Result<Reply, HttpError> {
    found(context, FeedRequest { scope: FeedScope::Drift, format, all: false })
}
