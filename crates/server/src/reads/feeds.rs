//! Feeds of changes, as Atom and as JSON Feed.

use appstitch_feeds::FeedFormat;
use appstitch_snapshot::{ArchivePart, FeedRequest, FeedScope, ReadError};
use appstitch_types::HttpValidationError;

use crate::{
    http_error::HttpError,
    message::{EndpointResult, ReadContext, ReadRequest, Representation},
    query::{Faults, parameters, read_truth},
    response::ErrorDetail,
    route::{Export, Exported, Route},
};

parameters! { FeedQuery { all } }

/// A feed of changes, with new versions or with all changes.
fn changes(
    context: &ReadContext<'_>,
    request: &ReadRequest<'_>,
    scope: FeedScope,
    format: FeedFormat,
) -> EndpointResult {
    let all = wants_all(request.query)?;
    found(context, FeedRequest { scope, format, all })
}

fn found(context: &ReadContext<'_>, request: FeedRequest) -> EndpointResult {
    Ok(Representation::Feed(Box::new(context.snapshot.find_feed(request)?)))
}

fn wants_all(query: Option<&str>) -> Result<bool, HttpError> {
    let mut faults = Faults::default();
    let all = faults.check(read_truth("all", FeedQuery::read(query).all.as_deref()));
    faults.none()?;
    Ok(all.unwrap_or_default())
}

pub(crate) const CATALOG_ATOM_ROUTE: Route =
    Route::get("/feed.atom", catalog_atom, Export::Path("feed.atom"))
        .catalog()
        .documented::<__path_catalog_atom>();
pub(crate) const CATALOG_JSON_ROUTE: Route =
    Route::get("/feed.json", catalog_json, Export::Path("feed.json"))
        .catalog()
        .documented::<__path_catalog_json>();

/// Follow the catalog as Atom
///
/// Returns the newest changes as an Atom feed: at least 100, and everything of the last 48 hours,
/// counted from the newest change, up to 2000 entries. Without `all`, only apps that were added,
/// removed or renamed and new versions are included. More than 100 apps that were added at once are
/// one entry. Older changes are in archives, which the feed links to with `rel="prev-archive"`
/// (RFC 5005).
#[utoipa::path(
    get,
    path = CATALOG_ATOM_ROUTE.path,
    operation_id = "get_feed_atom",
    tag = "feeds",
    params(("all" = Option<bool>, Query, description = "Include changes of every field", example = false)),
    responses(
        (status = 200, description = "An Atom feed", content((String = "application/atom+xml")), headers(("etag" = String, description = "The catalog's token"))),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn catalog_atom(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    changes(context, request, FeedScope::Everything, FeedFormat::Atom)
}

/// Follow the catalog as JSON Feed
///
/// Returns the same changes as `/feed.atom` as a JSON Feed 1.1. Each item that is about one app
/// has the change itself in `_appstitch`.
#[utoipa::path(
    get,
    path = CATALOG_JSON_ROUTE.path,
    operation_id = "get_feed_json",
    tag = "feeds",
    params(("all" = Option<bool>, Query, description = "Include changes of every field", example = false)),
    responses(
        (status = 200, description = "A JSON feed", content((Object = "application/feed+json")), headers(("etag" = String, description = "The catalog's token"))),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn catalog_json(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    changes(context, request, FeedScope::Everything, FeedFormat::Json)
}

pub(crate) const ARCHIVE_ROUTE: Route = Route::get(
    "/feed/archive/{file}",
    archive,
    Export::Each(Exported::ArchiveParts, "feed/archive/{}"),
)
.catalog()
.documented::<__path_archive>();

/// Get an archive of the feed
///
/// Returns the changes of a day (UTC) as an archive of `/feed.atom` (RFC 5005). A day with more than
/// 2000 changes has several parts: `2026-08-21.atom`, `2026-08-21.2.atom` and so on. An archive
/// never changes once it is full or its day is over. Each links to the one before with
/// `rel="prev-archive"`.
#[utoipa::path(
    get,
    path = ARCHIVE_ROUTE.path,
    operation_id = "get_feed_archive",
    tag = "feeds",
    params(
        ("file" = String, Path, description = "The day, the number of the part from the second one on, and `.atom`", example = "2026-11-15.atom"),
        ("all" = Option<bool>, Query, description = "Include changes of every field", example = false),
    ),
    responses(
        (status = 200, description = "An Atom feed", content((String = "application/atom+xml")), headers(("etag" = String, description = "The catalog's token"))),
        (status = 404, description = "No changes of that day are available", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn archive(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let file = context.slug();
    let part = file.strip_suffix(".atom").and_then(ArchivePart::read);
    let part = part.ok_or_else(|| ReadError::NoArchive(file.clone().into_owned()))?;
    changes(context, request, FeedScope::Archive(part), FeedFormat::Atom)
}

pub(crate) const VENDOR_ATOM_ROUTE: Route = Route::get(
    "/vendors/{vendor}/feed.atom",
    vendor_atom,
    Export::Each(Exported::Vendors, "vendors/{}/feed.atom"),
)
.catalog()
.documented::<__path_vendor_atom>();
pub(crate) const VENDOR_JSON_ROUTE: Route = Route::get(
    "/vendors/{vendor}/feed.json",
    vendor_json,
    Export::Each(Exported::Vendors, "vendors/{}/feed.json"),
)
.catalog()
.documented::<__path_vendor_json>();

/// Follow a vendor's apps as Atom
///
/// Returns the newest changes of the vendor's apps: at least 100, and everything of the last 48
/// hours, counted from the newest change. An app whose vendor changed is in the feeds of both.
#[utoipa::path(
    get,
    path = VENDOR_ATOM_ROUTE.path,
    operation_id = "get_vendor_feed_atom",
    tag = "feeds",
    params(
        ("vendor" = String, Path, description = "The vendor, ignoring case", example = "Mozilla"),
        ("all" = Option<bool>, Query, description = "Include changes of every field", example = false),
    ),
    responses(
        (status = 200, description = "An Atom feed", content((String = "application/atom+xml")), headers(("etag" = String, description = "The catalog's token"))),
        (status = 404, description = "Unknown vendor", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn vendor_atom(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    changes(context, request, vendor_scope(context), FeedFormat::Atom)
}

/// Follow a vendor's apps as JSON Feed
///
/// Returns the newest changes of the vendor's apps: at least 100, and everything of the last 48
/// hours, counted from the newest change. An app whose vendor changed is in the feeds of both.
#[utoipa::path(
    get,
    path = VENDOR_JSON_ROUTE.path,
    operation_id = "get_vendor_feed_json",
    tag = "feeds",
    params(
        ("vendor" = String, Path, description = "The vendor, ignoring case", example = "Mozilla"),
        ("all" = Option<bool>, Query, description = "Include changes of every field", example = false),
    ),
    responses(
        (status = 200, description = "A JSON feed", content((Object = "application/feed+json")), headers(("etag" = String, description = "The catalog's token"))),
        (status = 404, description = "Unknown vendor", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn vendor_json(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    changes(context, request, vendor_scope(context), FeedFormat::Json)
}

fn vendor_scope(context: &ReadContext<'_>) -> FeedScope {
    FeedScope::Vendor(context.slug().into_owned())
}

pub(crate) const APP_ATOM_ROUTE: Route = Route::get(
    "/apps/{slug}/feed.atom",
    app_atom,
    Export::Each(Exported::AppsAndFormerApps, "apps/{}/feed.atom"),
)
.catalog()
.documented::<__path_app_atom>();
pub(crate) const APP_JSON_ROUTE: Route = Route::get(
    "/apps/{slug}/feed.json",
    app_json,
    Export::Each(Exported::AppsAndFormerApps, "apps/{}/feed.json"),
)
.catalog()
.documented::<__path_app_json>();

/// Follow an app as Atom
///
/// Returns the newest changes of the app: at least 20, and everything of the last 48 hours, counted
/// from the newest change. An app that left the catalog keeps its feed as long as its changes are
/// kept.
#[utoipa::path(
    get,
    path = APP_ATOM_ROUTE.path,
    operation_id = "get_app_feed_atom",
    tag = "feeds",
    params(
        ("slug" = String, Path, description = "The app's slug", example = "firefoxpkg"),
        ("all" = Option<bool>, Query, description = "Include changes of every field", example = false),
    ),
    responses(
        (status = 200, description = "An Atom feed", content((String = "application/atom+xml")), headers(("etag" = String, description = "The catalog's token"))),
        (status = 404, description = "Unknown slug", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn app_atom(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    changes(context, request, app_scope(context), FeedFormat::Atom)
}

/// Follow an app as JSON Feed
///
/// Returns the newest changes of the app: at least 20, and everything of the last 48 hours, counted
/// from the newest change. An app that left the catalog keeps its feed as long as its changes are
/// kept.
#[utoipa::path(
    get,
    path = APP_JSON_ROUTE.path,
    operation_id = "get_app_feed_json",
    tag = "feeds",
    params(
        ("slug" = String, Path, description = "The app's slug", example = "firefoxpkg"),
        ("all" = Option<bool>, Query, description = "Include changes of every field", example = false),
    ),
    responses(
        (status = 200, description = "A JSON feed", content((Object = "application/feed+json")), headers(("etag" = String, description = "The catalog's token"))),
        (status = 404, description = "Unknown slug", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn app_json(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    changes(context, request, app_scope(context), FeedFormat::Json)
}

fn app_scope(context: &ReadContext<'_>) -> FeedScope {
    FeedScope::App(context.slug().into_owned())
}

pub(crate) const DRIFT_ATOM_ROUTE: Route =
    Route::get("/drift/feed.atom", drift_atom, Export::Path("drift/feed.atom"))
        .catalog()
        .documented::<__path_drift_atom>();
pub(crate) const DRIFT_JSON_ROUTE: Route =
    Route::get("/drift/feed.json", drift_json, Export::Path("drift/feed.json"))
        .catalog()
        .documented::<__path_drift_json>();

/// Follow drift as Atom
///
/// Returns an entry whenever a label or a cask of an app starts or stops lagging behind the other:
/// at least the newest 100, and everything of the last 48 hours, counted from the newest one.
#[utoipa::path(
    get,
    path = DRIFT_ATOM_ROUTE.path,
    operation_id = "get_drift_feed_atom",
    tag = "feeds",
    responses(
        (status = 200, description = "An Atom feed", content((String = "application/atom+xml")), headers(("etag" = String, description = "The catalog's token"))),
    )
)]
fn drift_atom(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    drift(context, FeedFormat::Atom)
}

/// Follow drift as JSON Feed
///
/// Returns the same entries as `/drift/feed.atom` as a JSON Feed 1.1.
#[utoipa::path(
    get,
    path = DRIFT_JSON_ROUTE.path,
    operation_id = "get_drift_feed_json",
    tag = "feeds",
    responses(
        (status = 200, description = "A JSON feed", content((Object = "application/feed+json")), headers(("etag" = String, description = "The catalog's token"))),
    )
)]
fn drift_json(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    drift(context, FeedFormat::Json)
}

fn drift(context: &ReadContext<'_>, format: FeedFormat) -> EndpointResult {
    found(context, FeedRequest { scope: FeedScope::Drift, format, all: false })
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
