//! Why a request fails, and the one place where that becomes a status and a body.

use appstitch_catalog::{HttpValidationError, ValidationError};
use appstitch_snapshot::ReadError;
use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use bytes::Bytes;

use crate::response::{ErrorDetail, json};

/// A request that fails.
#[derive(Debug)]
pub(crate) enum HttpError {
    /// An HTTP/1.1 request has exactly one `Host` field.
    HostField,
    /// No such path.
    NotFound,
    /// The path does not support this method.
    MethodNotAllowed,
    /// The snapshot has no such thing.
    Read(ReadError),
    /// Invalid parameters.
    Invalid(Vec<ValidationError>),
    /// The request took too long.
    TookTooLong,
    /// All connections are in use.
    NoRoom,
    /// The client has its share of the requests in progress.
    ShareUsed,
    /// Something of ours failed; the log says what.
    Internal,
}

impl HttpError {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::HostField => StatusCode::BAD_REQUEST,
            Self::NotFound
            | Self::Read(
                ReadError::UnknownSlug(_)
                | ReadError::UnknownName(_)
                | ReadError::UnknownVendor(_)
                | ReadError::NoArchive(_),
            ) => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Invalid(_) | Self::Read(ReadError::NoSourceDetail(_)) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Self::TookTooLong | Self::NoRoom | Self::ShareUsed => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal | Self::Read(ReadError::Internal) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn detail(&self) -> String {
        match self {
            Self::HostField => "A request needs exactly one Host header".to_owned(),
            Self::NotFound => "Not Found".to_owned(),
            Self::MethodNotAllowed => "Method Not Allowed".to_owned(),
            Self::Read(error) => error.to_string(),
            Self::TookTooLong => "The request took too long; try again".to_owned(),
            Self::NoRoom => "All connections of the server are in use; try again".to_owned(),
            Self::ShareUsed => {
                "Too many requests from your address are in progress; try again".to_owned()
            }
            Self::Internal | Self::Invalid(_) => "Internal Server Error".to_owned(),
        }
    }

    /// The JSON that explains it.
    pub(crate) fn body(self) -> Bytes {
        let body = match self {
            Self::Invalid(detail) => serde_json::to_vec(&HttpValidationError { detail }),
            other => serde_json::to_vec(&ErrorDetail { detail: other.detail() }),
        };
        body.unwrap_or_default().into()
    }
}

impl From<ReadError> for HttpError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        let status = self.status();
        json(status, self.body())
    }
}
