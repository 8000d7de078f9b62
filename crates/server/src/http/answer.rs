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
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
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
    // Short bodies are never packed, so what the client takes is of no interest.
    let wanted = resource.key().and_then(|key| Some((key, choose_encoding(asked.headers)?)));
    let kept = wanted
        .and_then(|(key, encoding)| Some((snapshot.encoded().ready(key, encoding)?, encoding)));
    if let Some((ready, encoding)) = kept {
        return Some(full(resource, asked, ReadyBody::one(ready), Some(encoding)));
    }
    let body = snapshot.body(resource);
    let plain_will_do = wanted.is_none() || body.length() < WORTHWHILE;
    plain_will_do.then(|| full(resource, asked, body, None))
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
    if let Some((key, encoding)) = resource.key().zip(choose_encoding(asked.headers))
        && let Some(made) = snapshot.encoded().make(key, encoding, || body.concat()).await
    {
        return full(resource, asked, ReadyBody::one(made), Some(encoding));
    }
    full(resource, asked, body, None)
}

fn not_modified(resource: Resource) -> Response<ReadyBody> {
    let mut response = Response::new(ReadyBody::default());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    if resource.key().is_some() {
        response.headers_mut().insert(header::VARY, ACCEPT_ENCODING);
    }
    response
}

fn full(
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
    if resource.key().is_some() {
        headers.insert(header::VARY, ACCEPT_ENCODING);
    }
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
    }
    if let Resource::Apps(page) | Resource::Drift(page) = resource {
        add_page_headers(headers, asked.path, asked.query, page);
    }
    response
}

/// Adds what every answer of a kind carries, whoever made it: entity tag and cache policy on
/// reads below `/apps`, any-origin access on everything public.
pub(crate) fn finish<B>(
    snapshot: &Snapshot,
    method: &Method,
    path: &str,
    response: &mut Response<B>,
) {
    let failed = response.status().is_server_error();
    let headers = response.headers_mut();
    if is_public_path(path) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
    }
    if is_catalog_path(path) && (method == Method::GET || method == Method::HEAD) {
        headers.insert(header::ETAG, snapshot.etag().clone());
        // A failure of ours passes; nobody should keep it.
        let policy = if failed { NO_STORE } else { CATALOG_CACHE_CONTROL };
        headers.insert(header::CACHE_CONTROL, policy);
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
