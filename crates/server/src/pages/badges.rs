//! `GET /badge/…`: badges for pages of other people.
//!
//! A badge is made for each request, which takes microseconds, and its entity tag is a hash of it: a
//! copy stays valid as long as the badge looks the same, whatever else changes in the catalog.

use appstitch_pages::{BadgeForm, BadgeRequest, DrawnBadge};
use axum::http::StatusCode;
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::{ANY_ORIGIN, NO_SNIFFING, PICTURE_CONTENT, site};
use crate::{
    http_error::HttpError,
    message::{
        Asked, Document, DocumentBody, DocumentKind, FixedField, ReadContext, Reply, fixed_field,
    },
    reads::condition::already_has,
    route::Route,
};

/// The routes of badges. `{file}` is the name of an app, or the token of a source, with `.svg` for a
/// picture or `.json` for the Shields service.
pub(crate) const VERSION_ROUTE: Route = Route::get_undocumented("/badge/version/{file}", read);
pub(crate) const SOURCE_VERSION_ROUTE: Route =
    Route::get_undocumented("/badge/version/{slug}/{file}", read);
pub(crate) const DRIFT_ROUTE: Route = Route::get_undocumented("/badge/drift/{file}", read);
pub(crate) const CURRENT_ROUTE: Route = Route::get_undocumented("/badge/current/{file}", read);
pub(crate) const SOURCES_ROUTE: Route = Route::get_undocumented("/badge/sources/{file}", read);
pub(crate) const TABLE_ROUTE: Route = Route::get_undocumented("/badge/table/{file}", read);
/// `catalog` and `fresh` are about no app.
pub(crate) const CATALOG_ROUTE: Route = Route::get_undocumented("/badge/{file}", read);

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

fn read(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    let request = BadgeRequest::read(asked.path, asked.query).ok_or(HttpError::NotFound)?;
    let drawn = appstitch_pages::badge(&site(context), &request, Timestamp::now());
    let DrawnBadge { text, may_be_kept } = drawn;
    let kind = match (request.form(), may_be_kept) {
        (BadgeForm::Svg, true) => &PICTURE,
        (BadgeForm::Svg, false) => &PASSING_PICTURE,
        (BadgeForm::Json, true) => &ENDPOINT,
        (BadgeForm::Json, false) => &PASSING_ENDPOINT,
    };
    let tag = may_be_kept.then(|| tag_of(&text));
    let body = if tag.as_ref().is_some_and(|tag| already_has(&asked.if_none_match, tag)) {
        DocumentBody::NotModified
    } else {
        DocumentBody::Short(text.into())
    };
    // An unknown app is no failure: a page would show a broken picture for it, and keep that.
    Ok(Reply::Document(Box::new(Document { status: StatusCode::OK, kind, tag, body })))
}

fn tag_of(text: &str) -> String {
    let hash = Sha256::digest(text);
    let start = std::array::from_fn(|position| hash[position]);
    format!("{:016x}", u64::from_be_bytes(start))
}
