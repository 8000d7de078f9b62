//! `GET /feed.atom`, `GET /feed.json`: changes of the whole catalog.

use appstitch_catalog::HttpValidationError;
use appstitch_feeds::FeedFormat;
use appstitch_snapshot::FeedScope;

use super::changes;
use crate::{
    http_error::HttpError,
    message::{Asked, ReadContext, Reply},
    route::Route,
};

/// The route of the Atom feed.
pub(crate) const ATOM_ROUTE: Route = Route::get::<__path_read_atom>("/feed.atom", read_atom);
/// The route of the JSON feed.
pub(crate) const JSON_ROUTE: Route = Route::get::<__path_read_json>("/feed.json", read_json);

/// Follow the catalog as Atom
///
/// Returns the newest changes as an Atom feed: at least 100, and everything of the last 48 hours,
/// counted from the newest change, up to 2000 entries. Without `all`, only apps that were added,
/// removed or renamed and new versions are included. Older changes are in archives, which the feed
/// links to with `rel="prev-archive"` (RFC 5005).
#[utoipa::path(
    get,
    path = ATOM_ROUTE.pattern,
    operation_id = "get_feed_atom",
    tag = "feeds",
    params(("all" = Option<bool>, Query, description = "Include changes of every field", example = false)),
    responses(
        (status = 200, description = "An Atom feed", content((String = "application/atom+xml")), headers(("etag" = String, description = "The catalog's token"))),
        (status = 304, description = "The client's copy is up to date"),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn read_atom(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    changes(context, asked, FeedScope::Everything, FeedFormat::Atom)
}

/// Follow the catalog as JSON Feed
///
/// Returns the same changes as `/feed.atom` as a JSON Feed 1.1. Each item has the change itself in
/// `_appstitch`.
#[utoipa::path(
    get,
    path = JSON_ROUTE.pattern,
    operation_id = "get_feed_json",
    tag = "feeds",
    params(("all" = Option<bool>, Query, description = "Include changes of every field", example = false)),
    responses(
        (status = 200, description = "A JSON feed", content((Object = "application/feed+json")), headers(("etag" = String, description = "The catalog's token"))),
        (status = 304, description = "The client's copy is up to date"),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn read_json(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    changes(context, asked, FeedScope::Everything, FeedFormat::Json)
}
