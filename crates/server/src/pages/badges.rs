//! `GET /badge/…`: badges for pages of other people.
//!
//! A badge is made for each request, which takes microseconds, and its entity tag is a hash of it: a
//! copy stays valid as long as the badge looks the same, whatever else changes in the catalog.

use appstitch_pages::{BadgeForm, BadgeRequest, DrawnBadge};
use axum::http::StatusCode;
use jiff::Timestamp;

use super::{ANY_ORIGIN, NO_SNIFFING, PICTURE_CONTENT, site};
use crate::{
    http_error::HttpError,
    message::{
        Document, DocumentBody, DocumentKind, EndpointResult, FixedField, ReadContext, ReadRequest,
        Representation, fixed_field,
    },
    reads::condition::{already_has, tag_of},
    route::{Export, Exported, Route},
};

/// The routes of badges. `{file}` is the name of an app, or the token of a source, with `.svg` for a
/// picture or `.json` for the Shields service.
pub(crate) const VERSION_ROUTE: Route =
    Route::get("/badge/version/{file}", read, Export::Each(Exported::Badges, "badge/version/{}"));
pub(crate) const SOURCE_VERSION_ROUTE: Route = Route::get(
    "/badge/version/{slug}/{file}",
    read,
    Export::Each(Exported::SourceBadges, "badge/version/{}~{}"),
);
pub(crate) const DRIFT_ROUTE: Route =
    Route::get("/badge/drift/{file}", read, Export::Each(Exported::Badges, "badge/drift/{}"));
pub(crate) const CURRENT_ROUTE: Route = Route::get(
    "/badge/current/{file}",
    read,
    Export::LiveOnly("it depends on the version that somebody has"),
);
pub(crate) const SOURCES_ROUTE: Route =
    Route::get("/badge/sources/{file}", read, Export::Each(Exported::Badges, "badge/sources/{}"));
pub(crate) const TABLE_ROUTE: Route =
    Route::get("/badge/table/{file}", read, Export::Each(Exported::Badges, "badge/table/{}"));
/// `catalog` and `fresh` are about no app.
pub(crate) const CATALOG_ROUTE: Route =
    Route::get("/badge/{file}", read, Export::Each(Exported::CatalogBadges, "badge/{}"));

/// Those who show pictures of others keep them as long as they are allowed to.
const FIVE_MINUTES: &FixedField =
    fixed_field!("cache-control", "public, max-age=300, s-maxage=300");
const NEVER: &FixedField = fixed_field!("cache-control", "no-store");

const SVG: &FixedField = fixed_field!("content-type", "image/svg+xml;charset=utf-8");
const JSON: &FixedField = fixed_field!("content-type", "application/json");

const PICTURE: DocumentKind = DocumentKind {
    content_type: SVG,
    fields: &[FIVE_MINUTES, PICTURE_CONTENT, NO_SNIFFING, ANY_ORIGIN],
};
const PASSING_PICTURE: DocumentKind =
    DocumentKind { content_type: SVG, fields: &[NEVER, PICTURE_CONTENT, NO_SNIFFING, ANY_ORIGIN] };
const ENDPOINT: DocumentKind =
    DocumentKind { content_type: JSON, fields: &[FIVE_MINUTES, NO_SNIFFING, ANY_ORIGIN] };
const PASSING_ENDPOINT: DocumentKind =
    DocumentKind { content_type: JSON, fields: &[NEVER, NO_SNIFFING, ANY_ORIGIN] };

fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let badge = BadgeRequest::read(request.path, request.query).ok_or(HttpError::NotFound)?;
    let drawn =
        appstitch_pages::badge(&site(context.parts, context.snapshot), &badge, Timestamp::now());
    let DrawnBadge { text, is_cacheable } = drawn;
    let kind = match (badge.form(), is_cacheable) {
        (BadgeForm::Svg, true) => &PICTURE,
        (BadgeForm::Svg, false) => &PASSING_PICTURE,
        (BadgeForm::Json, true) => &ENDPOINT,
        (BadgeForm::Json, false) => &PASSING_ENDPOINT,
    };
    let tag = is_cacheable.then(|| tag_of(text.as_bytes()));
    let body = if tag.as_ref().is_some_and(|tag| already_has(&request.if_none_match, tag)) {
        DocumentBody::NotModified
    } else {
        DocumentBody::Short(text.into())
    };
    // An unknown app is no failure: a page would show a broken picture for it, and keep that.
    Ok(Representation::Document(Box::new(Document { status: StatusCode::OK, kind, tag, body })))
}
