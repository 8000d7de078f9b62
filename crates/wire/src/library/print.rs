//! Printing a response for the HTTP library.

use std::sync::Arc;

use appstitch_bodies::{Payload, Slices};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use tokio::task::spawn_blocking;

use super::body::LibraryBody;
use crate::{
    memory::Held,
    message::{CONTENT_LENGTH, Content, Policy, ReadResponse, TOTAL_COUNT},
    request_id::RequestId,
};

/// A response as the HTTP library sends it. The library leaves the body of a response to HEAD out
/// by itself.
pub async fn response(read_response: ReadResponse) -> Response<LibraryBody> {
    held_response(read_response, None).await
}

/// The same for a response whose memory is counted until it is sent.
pub(super) async fn held_response(
    read_response: ReadResponse,
    held: Option<Arc<Held>>,
) -> Response<LibraryBody> {
    let mut response = Response::new(LibraryBody::default());
    *response.status_mut() = read_response.status;
    let headers = response.headers_mut();
    let mut add = |name, value| {
        headers.insert(HeaderName::from_static(name), value);
    };
    if let Some(Content { kind, payload }) = &read_response.content {
        add(kind.name, HeaderValue::from_static(kind.value));
        add(CONTENT_LENGTH.name, payload.length().into());
    }
    for field in read_response.fixed {
        add(field.name, HeaderValue::from_static(field.value));
    }
    if let Some(count) = read_response.total_count {
        add(TOTAL_COUNT.name, count.into());
    }
    // What is not printable cannot be sent.
    if let Some((name, text)) = read_response.made
        && let Ok(text) = HeaderValue::try_from(text)
    {
        add(name.name, text);
    }
    add_policy(response.headers_mut(), &read_response.policy);
    let tied = |slices: Slices| match &held {
        Some(held) => held.tie_to(&slices),
        None => slices,
    };
    match read_response.content.map(|content| content.payload) {
        None => {}
        Some(Payload::Memory(slices) | Payload::Made(slices)) => {
            *response.body_mut() = tied(slices).into();
        }
        // The library sends from memory.
        Some(Payload::File(range)) => match spawn_blocking(move || range.read()).await {
            Ok(Ok(bytes)) => *response.body_mut() = tied(Slices::one(bytes)).into(),
            failed => {
                tracing::error!(?failed, "cannot read a kept body");
                let mut response = Response::new(LibraryBody::default());
                *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
                return response;
            }
        },
    }
    response
}

pub fn add_policy(headers: &mut HeaderMap, policy: &Policy) {
    for (name, value) in policy.fields() {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
}

pub(super) fn add_request_id(headers: &mut HeaderMap, id: &RequestId<'_>) {
    if let Ok(value) = HeaderValue::from_bytes(id.as_bytes()) {
        headers.insert(HeaderName::from_static("x-request-id"), value);
    }
}
