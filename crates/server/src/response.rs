//! Responses of the routes that the HTTP library serves.

use axum::{
    body::Body,
    http::{HeaderValue, Response, StatusCode, header},
    response::IntoResponse,
};
use serde::Serialize;
use utoipa::ToSchema;

/// An answer whose body is JSON already.
pub(crate) fn json(status: StatusCode, body: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

/// An answer whose body is a value as JSON.
pub(crate) fn json_of(status: StatusCode, value: &impl Serialize) -> Response<Body> {
    match serde_json::to_vec(value) {
        Ok(bytes) => json(status, bytes),
        Err(error) => {
            tracing::error!(%error, "cannot write an answer as JSON");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// An error body that holds one sentence.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({"detail": "App with slug 'firefoxx' not found"}))]
pub(crate) struct ErrorDetail {
    /// What is wrong, and where it helps, what to do.
    pub(crate) detail: String,
}

/// An answer whose body is `{"detail": …}`.
pub(crate) fn detail(status: StatusCode, detail: String) -> Response<Body> {
    json_of(status, &ErrorDetail { detail })
}

/// Why nothing is done while other requests use up a limit.
pub(crate) const BUSY: &str = "The server is busy with other requests; try again later";

/// The answer while other requests use up a limit.
pub(crate) fn busy() -> Response<Body> {
    let mut response = detail(StatusCode::SERVICE_UNAVAILABLE, BUSY.to_owned());
    response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
    response
}

/// In seconds.
pub(crate) const RETRY_AFTER: HeaderValue = HeaderValue::from_static("10");
