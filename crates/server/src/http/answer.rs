//! Turning a resource of a snapshot into an answer: condition, coding, headers.

use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use bytes::Bytes;

use super::{
    body::ReadyBody,
    condition::already_has,
    negotiate::choose_encoding,
    paging::add_page_headers,
    route::{is_catalog_path, is_public_path},
};
use crate::snapshot::{Encoding, Resource, Snapshot, WORTHWHILE};

const CATALOG_CACHE_CONTROL: HeaderValue =
    HeaderValue::from_static("public, max-age=300, stale-while-revalidate=3600");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const ANY_ORIGIN: HeaderValue = HeaderValue::from_static("*");
const EXPOSED_HEADERS: HeaderValue =
    HeaderValue::from_static("etag, link, x-request-id, x-total-count");
const ACCEPT_ENCODING: HeaderValue = HeaderValue::from_static("accept-encoding");

/// What an answer depends on beside the resource.
pub(crate) struct Asked<'a> {
    pub(crate) path: &'a str,
    pub(crate) query: Option<&'a str>,
    pub(crate) headers: &'a HeaderMap,
}

/// The answer, if everything it needs is there; `None` when a body has to be compressed first.
pub(crate) fn answer_now(
    snapshot: &Snapshot,
    resource: Resource,
    asked: &Asked<'_>,
) -> Option<Response<ReadyBody>> {
    if already_has(asked.headers, snapshot.token()) {
        return Some(not_modified(resource));
    }
    let body = snapshot.body(resource);
    match wanted_encoding(resource, &body, asked.headers) {
        None => Some(full(snapshot, resource, asked, body, None)),
        Some(encoding) => {
            let ready = snapshot.encoded().ready(resource, encoding)?;
            Some(full(snapshot, resource, asked, ReadyBody::one(ready), Some(encoding)))
        }
    }
}

/// The answer, with its body compressed first where that is still to be done.
pub(crate) async fn answer(
    snapshot: &Snapshot,
    resource: Resource,
    asked: &Asked<'_>,
) -> Response<ReadyBody> {
    if let Some(answer) = answer_now(snapshot, resource, asked) {
        return answer;
    }
    let body = snapshot.body(resource);
    let Some(encoding) = wanted_encoding(resource, &body, asked.headers) else {
        return full(snapshot, resource, asked, body, None);
    };
    match snapshot.encoded().make(resource, encoding, || body.concat()).await {
        Some(made) => full(snapshot, resource, asked, ReadyBody::one(made), Some(encoding)),
        None => full(snapshot, resource, asked, body, None),
    }
}

fn wanted_encoding(resource: Resource, body: &ReadyBody, headers: &HeaderMap) -> Option<Encoding> {
    if !may_be_encoded(resource) || body.length() < WORTHWHILE {
        return None;
    }
    choose_encoding(headers)
}

/// Single records and drift entries are too short to gain anything.
fn may_be_encoded(resource: Resource) -> bool {
    !matches!(resource, Resource::App(_) | Resource::AppDrift(_))
}

fn not_modified(resource: Resource) -> Response<ReadyBody> {
    let mut response = Response::new(ReadyBody::default());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    if may_be_encoded(resource) {
        response.headers_mut().insert(header::VARY, ACCEPT_ENCODING);
    }
    response
}

fn full(
    snapshot: &Snapshot,
    resource: Resource,
    asked: &Asked<'_>,
    body: ReadyBody,
    encoding: Option<Encoding>,
) -> Response<ReadyBody> {
    let length = body.length();
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.reserve(12);
    headers.insert(header::CONTENT_TYPE, JSON);
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    if may_be_encoded(resource) {
        headers.insert(header::VARY, ACCEPT_ENCODING);
    }
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
    }
    let listing = match resource {
        Resource::Apps(page) => Some((page, snapshot.apps())),
        Resource::Drift(page) => Some((page, snapshot.drift())),
        _ => None,
    };
    if let Some((page, listing)) = listing {
        let total = listing.count(page.selection);
        add_page_headers(headers, asked.path, asked.query, page, total);
    }
    response
}

/// Adds what every answer of a kind carries, whoever made it: entity tag and cache policy on
/// reads below `/apps`, any-origin access on everything public.
pub(crate) fn finish(snapshot: &Snapshot, method: &Method, path: &str, headers: &mut HeaderMap) {
    if is_public_path(path) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
    }
    if is_catalog_path(path) && (method == Method::GET || method == Method::HEAD) {
        headers.insert(header::ETAG, snapshot.etag().clone());
        headers.insert(header::CACHE_CONTROL, CATALOG_CACHE_CONTROL);
    }
}

/// A ready answer for a browser that asks whether it may send a request from another site.
pub(crate) fn preflight() -> Response<ReadyBody> {
    let mut response = Response::new(ReadyBody::one(Bytes::new()));
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    let methods = HeaderValue::from_static("GET, HEAD, POST, OPTIONS");
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
    let allowed = HeaderValue::from_static("accept, content-type, if-none-match, x-request-id");
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    response
}
