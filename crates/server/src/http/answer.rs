//! Turning a resource of a snapshot into an answer: condition, coding, header fields.

use axum::http::{HeaderMap, Method, Response, StatusCode, header};
use bytes::Bytes;

use super::{
    body::{Payload, ReadyBody},
    condition::already_has,
    fields::{FieldSink, Fields},
    negotiate::choose_encoding,
    paging::add_page_fields,
    route::{is_catalog_path, is_public_path},
};
use crate::snapshot::{Encoding, Resource, Snapshot, WORTHWHILE};

/// What an answer depends on beside the resource.
pub(crate) struct Asked<'a, F = HeaderMap> {
    pub(crate) path: &'a str,
    pub(crate) query: Option<&'a str>,
    pub(crate) fields: &'a F,
}

/// An answer but for its header fields.
pub(crate) enum Ready {
    /// The client's copy is current.
    NotModified,
    /// A body, and its coding.
    Full(Payload, Option<Encoding>),
}

impl Ready {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::NotModified => StatusCode::NOT_MODIFIED,
            Self::Full(..) => StatusCode::OK,
        }
    }

    pub(crate) fn into_payload(self) -> Option<Payload> {
        match self {
            Self::NotModified => None,
            Self::Full(payload, _) => Some(payload),
        }
    }
}

/// The answer, if everything it needs is there; `None` when a body has to be compressed first.
pub(crate) fn ready_now(
    snapshot: &Snapshot,
    resource: Resource,
    asked: &Asked<'_, impl Fields>,
) -> Option<Ready> {
    if already_has(asked.fields, snapshot.token()) {
        return Some(Ready::NotModified);
    }
    // Short bodies are sent as they are, so what the client takes is of no interest.
    let Some(key) = resource.key() else {
        return Some(Ready::Full(Payload::Parts(snapshot.body(resource)), None));
    };
    let encoding = choose_encoding(asked.fields);
    if let Some(kept) = snapshot.kept().get(key, encoding) {
        return Some(Ready::Full(kept.into(), encoding));
    }
    let body = snapshot.body(resource);
    if encoding.is_some() && body.length() >= WORTHWHILE {
        return None;
    }
    Some(Ready::Full(Payload::Parts(body), None))
}

/// The answer, with its body compressed first where that is still to be done.
pub(crate) async fn ready(
    snapshot: &Snapshot,
    resource: Resource,
    asked: &Asked<'_, impl Fields>,
) -> Ready {
    if let Some(ready) = ready_now(snapshot, resource, asked) {
        return ready;
    }
    let body = snapshot.body(resource);
    if let Some((key, encoding)) = resource.key().zip(choose_encoding(asked.fields))
        && let Some(made) = snapshot.kept().compress(key, encoding, || body.concat()).await
    {
        return Ready::Full(made.into(), Some(encoding));
    }
    Ready::Full(Payload::Parts(body), None)
}

/// The answer as the HTTP library sends it, but for what every answer carries.
pub(crate) fn respond(
    snapshot: &Snapshot,
    resource: Resource,
    asked: &Asked<'_, impl Fields>,
    ready: Ready,
) -> Response<ReadyBody> {
    let mut response = Response::new(ReadyBody::default());
    *response.status_mut() = ready.status();
    // The library sends from memory. There a plain body is anyway; and a packed one whose file
    // cannot be read is no reason to fail.
    let ready = match ready {
        Ready::Full(Payload::File(range), encoding) => {
            let packed = encoding.and_then(|encoding| Some((range.read().ok()?, encoding)));
            match packed {
                Some((bytes, encoding)) => {
                    Ready::Full(Payload::Parts(ReadyBody::one(bytes)), Some(encoding))
                }
                None => Ready::Full(Payload::Parts(snapshot.body(resource)), None),
            }
        }
        ready => ready,
    };
    add_answer_fields(response.headers_mut(), resource, asked, &ready);
    if let Ready::Full(Payload::Parts(body), _) = ready {
        *response.body_mut() = body;
    }
    response
}

/// Adds what tells about this answer.
pub(crate) fn add_answer_fields(
    sink: &mut impl FieldSink,
    resource: Resource,
    asked: &Asked<'_, impl Fields>,
    ready: &Ready,
) {
    if let Ready::Full(payload, _) = ready {
        sink.add_static(header::CONTENT_TYPE, "application/json");
        sink.add_number(header::CONTENT_LENGTH, payload.length());
    }
    if resource.key().is_some() {
        sink.add_static(header::VARY, "accept-encoding");
    }
    if let Ready::Full(_, Some(encoding)) = ready {
        sink.add_static(header::CONTENT_ENCODING, encoding.name());
    }
    if let (Ready::Full(..), Resource::Apps(page) | Resource::Drift(page)) = (ready, resource) {
        add_page_fields(sink, asked.path, asked.query, page);
    }
}

/// Adds what everything public carries: any origin may read it.
pub(crate) fn add_public_fields(sink: &mut impl FieldSink) {
    sink.add_static(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    sink.add_static(
        header::ACCESS_CONTROL_EXPOSE_HEADERS,
        "etag, link, x-request-id, x-total-count",
    );
}

/// Adds what every read below `/apps` carries: entity tag and cache policy.
pub(crate) fn add_catalog_fields(sink: &mut impl FieldSink, etag: &str, failed: bool) {
    sink.add(header::ETAG, etag.as_bytes());
    // A failure of ours passes; nobody should keep it.
    let policy =
        if failed { "no-store" } else { "public, max-age=300, stale-while-revalidate=3600" };
    sink.add_static(header::CACHE_CONTROL, policy);
}

/// Adds what an answer carries for its path, whoever made it.
pub(crate) fn finish<B>(
    snapshot: &Snapshot,
    method: &Method,
    path: &str,
    response: &mut Response<B>,
) {
    let failed = response.status().is_server_error();
    let headers = response.headers_mut();
    if is_public_path(path) {
        add_public_fields(headers);
    }
    if is_catalog_path(path) && (method == Method::GET || method == Method::HEAD) {
        add_catalog_fields(headers, snapshot.etag(), failed);
    }
}

/// A ready answer for a browser that asks whether it may send a request from another site.
pub(crate) fn preflight() -> Response<ReadyBody> {
    let mut response = Response::new(ReadyBody::one(Bytes::new()));
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.add_static(header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, POST, OPTIONS");
    headers.add_static(
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        "accept, content-type, if-none-match, x-request-id",
    );
    headers.add_static(header::ACCESS_CONTROL_MAX_AGE, "86400");
    response
}
