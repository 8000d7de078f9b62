//! What can be wrong with a request, and the one place where that becomes an answer.

use appstitch_catalog::{HttpValidationError, ValidationError};
use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

/// A request that cannot be answered as asked.
#[derive(Debug)]
pub(crate) enum Problem {
    /// No such path.
    NotFound,
    /// The path does not take this method.
    MethodNotAllowed,
    /// No app has this slug.
    UnknownSlug(String),
    /// Parameters that do not fit.
    Invalid(Vec<ValidationError>),
    /// An app without source payloads cannot become a label.
    NoSourceDetail(String),
    /// The service gave up on the request.
    TookTooLong,
    /// Something of ours failed; what, is in the log.
    Internal,
}

impl Problem {
    fn status(&self) -> StatusCode {
        match self {
            Self::NotFound | Self::UnknownSlug(_) => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Invalid(_) | Self::NoSourceDetail(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TookTooLong => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// What is wrong, in a sentence.
    pub(crate) fn detail(self) -> String {
        match self {
            Self::NotFound => "Not Found".to_owned(),
            Self::MethodNotAllowed => "Method Not Allowed".to_owned(),
            Self::UnknownSlug(slug) => format!("App with slug '{slug}' not found"),
            Self::NoSourceDetail(slug) => {
                format!("App '{slug}' has no source detail, cannot generate a label")
            }
            Self::TookTooLong => "The request took too long, try again".to_owned(),
            Self::Internal | Self::Invalid(_) => "Internal Server Error".to_owned(),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status();
        match self {
            Self::Invalid(detail) => json(status, &HttpValidationError { detail }),
            other => detail(status, other.detail()),
        }
    }
}

/// An error body that holds one sentence.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorDetail {
    /// What is wrong, and where it helps, what to do.
    detail: String,
}

/// An answer whose body is `{"detail": …}`.
pub(crate) fn detail(status: StatusCode, detail: String) -> Response {
    json(status, &ErrorDetail { detail })
}

/// An answer with a JSON body.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => {
            let mut response = Response::new(Body::from(bytes));
            *response.status_mut() = status;
            let json = HeaderValue::from_static("application/json");
            response.headers_mut().insert(header::CONTENT_TYPE, json);
            response
        }
        Err(error) => {
            tracing::error!(%error, "an answer could not be written as JSON");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
