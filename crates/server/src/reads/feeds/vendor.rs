//! `GET /vendors/{vendor}/feed.atom`, `GET /vendors/{vendor}/feed.json`: changes of a vendor's apps.

use appstitch_catalog::HttpValidationError;
use appstitch_feeds::FeedFormat;
use appstitch_snapshot::FeedScope;

use super::changes;
use crate::{
    http_error::HttpError,
    message::{Asked, ReadContext, Reply},
    response::ErrorDetail,
    route::Route,
};

/// The route of the Atom feed.
pub(crate) const ATOM_ROUTE: Route =
    Route::get::<__path_read_atom>("/vendors/{vendor}/feed.atom", read_atom);
/// The route of the JSON feed.
pub(crate) const JSON_ROUTE: Route =
    Route::get::<__path_read_json>("/vendors/{vendor}/feed.json", read_json);

/// Follow a vendor's apps as Atom
///
/// Returns the newest changes of the vendor's apps: at least 100, and everything of the last 48
/// hours, counted from the newest change. An app that got another vendor is in the feeds of both.
#[utoipa::path(
    get,
    path = ATOM_ROUTE.pattern,
    operation_id = "get_vendor_feed_atom",
    tag = "feeds",
    params(
        ("vendor" = String, Path, description = "The vendor, ignoring case", example = "Mozilla"),
        ("all" = Option<bool>, Query, description = "Include changes of every field", example = false),
    ),
    responses(
        (status = 200, description = "An Atom feed", content((String = "application/atom+xml")), headers(("etag" = String, description = "The catalog's token"))),
        (status = 304, description = "The client's copy is up to date"),
        (status = 404, description = "Unknown vendor", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn read_atom(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    changes(context, asked, scope(context), FeedFormat::Atom)
}

/// Follow a vendor's apps as JSON Feed
///
/// Returns the newest changes of the vendor's apps: at least 100, and everything of the last 48
/// hours, counted from the newest change. An app that got another vendor is in the feeds of both.
#[utoipa::path(
    get,
    path = JSON_ROUTE.pattern,
    operation_id = "get_vendor_feed_json",
    tag = "feeds",
    params(
        ("vendor" = String, Path, description = "The vendor, ignoring case", example = "Mozilla"),
        ("all" = Option<bool>, Query, description = "Include changes of every field", example = false),
    ),
    responses(
        (status = 200, description = "A JSON feed", content((Object = "application/feed+json")), headers(("etag" = String, description = "The catalog's token"))),
        (status = 304, description = "The client's copy is up to date"),
        (status = 404, description = "Unknown vendor", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn read_json(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    changes(context, asked, scope(context), FeedFormat::Json)
}

fn scope(context: &ReadContext<'_>) -> FeedScope {
    FeedScope::Vendor(context.slug().into_owned())
}
