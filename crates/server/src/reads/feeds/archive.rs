//! `GET /feed/archive/{file}`: the changes of a day, for readers that were away (RFC 5005).

use appstitch_catalog::HttpValidationError;
use appstitch_feeds::FeedFormat;
use appstitch_snapshot::{ArchivePart, FeedScope, ReadError};

use super::changes;
use crate::{
    http_error::HttpError,
    message::{Asked, ReadContext, Reply},
    response::ErrorDetail,
    route::Route,
};

/// The route of this endpoint.
pub(crate) const ROUTE: Route = Route::get::<__path_read>("/feed/archive/{file}", read);

/// Get an archive of the feed
///
/// Returns the changes of a day (UTC) as an archive of `/feed.atom` (RFC 5005). A day with more than
/// 2000 changes has several parts: `2026-08-21.atom`, `2026-08-21.2.atom` and so on. An archive never
/// changes once it is full or its day is over. Each links to the one before with
/// `rel="prev-archive"`.
#[utoipa::path(
    get,
    path = ROUTE.pattern,
    operation_id = "get_feed_archive",
    tag = "feeds",
    params(
        ("file" = String, Path, description = "The day, the number of the part from the second one on, and `.atom`", example = "2026-11-15.atom"),
        ("all" = Option<bool>, Query, description = "Include changes of every field", example = false),
    ),
    responses(
        (status = 200, description = "An Atom feed", content((String = "application/atom+xml")), headers(("etag" = String, description = "The catalog's token"))),
        (status = 304, description = "The client's copy is up to date"),
        (status = 404, description = "No changes of that day are kept", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn read(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    let file = context.slug();
    let part = file.strip_suffix(".atom").and_then(ArchivePart::read);
    let part = part.ok_or_else(|| ReadError::NoArchive(file.clone().into_owned()))?;
    changes(context, asked, FeedScope::Archive(part), FeedFormat::Atom)
}
