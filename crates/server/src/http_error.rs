//! Why a request fails, and how that becomes a status and a body.

use appstitch_snapshot::{ReadError, SinceError};
use appstitch_types::{HttpValidationError, ValidationError};
use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    message::Wait,
    response::{BUSY, ErrorDetail, json},
};

/// A request that fails.
#[derive(Debug)]
pub(crate) enum HttpError {
    /// An HTTP/1.1 request has exactly one `Host` field.
    HostField,
    NotFound,
    MethodNotAllowed,
    /// The snapshot has no such thing.
    Read(ReadError),
    /// The changes since this position are not available.
    Since(SinceError),
    /// This server does not know the position, and could not read the store to tell whether it exists.
    NotYet,
    Invalid(Vec<ValidationError>),
    /// A fact is missing that a file for another tool needs: the JSON that says which.
    Refused(Bytes),
    TookTooLong,
    /// All connections are in use.
    NoRoom,
    /// The client has its share of the requests in progress.
    ShareUsed,
    /// Other requests use up a limit.
    Busy,
    /// A file of the catalog that is not there, and why.
    NoCatalogFile(&'static str),
    /// Not a failure: a worker has to answer.
    OnDemand,
    /// Not a failure: something has to be there first.
    Wait(Wait),
    Stopping,
    /// Something of ours failed; the log says what.
    Internal,
}

impl HttpError {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::HostField => StatusCode::BAD_REQUEST,
            Self::Since(error) => match error {
                SinceError::Malformed(_) | SinceError::Future(_) => StatusCode::BAD_REQUEST,
                SinceError::Gone(_) => StatusCode::GONE,
            },
            Self::NotFound
            | Self::NoCatalogFile(_)
            | Self::Read(
                ReadError::UnknownSlug(_)
                | ReadError::UnknownName(_)
                | ReadError::UnknownVendor(_)
                | ReadError::UnknownTitle(_)
                | ReadError::NoArchive(_),
            ) => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Invalid(_) | Self::Read(ReadError::NoSourceDetail(_)) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Self::Refused(_) => StatusCode::CONFLICT,
            Self::TookTooLong
            | Self::NoRoom
            | Self::ShareUsed
            | Self::Busy
            | Self::Stopping
            | Self::NotYet => StatusCode::SERVICE_UNAVAILABLE,
            Self::OnDemand | Self::Wait(_) | Self::Internal | Self::Read(ReadError::Internal) => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
        }
    }

    fn detail(&self) -> String {
        match self {
            Self::HostField => "A request needs exactly one valid Host header".to_owned(),
            Self::NotFound => "Not Found".to_owned(),
            Self::MethodNotAllowed => "Method Not Allowed".to_owned(),
            Self::Read(error) => error.to_string(),
            Self::Since(error) => format!("since: {error}"),
            Self::NotYet => {
                "since: this server has not loaded the newest changes yet; try again".to_owned()
            }
            Self::TookTooLong => "The request took too long; try again".to_owned(),
            Self::NoRoom => "All connections of the server are in use; try again".to_owned(),
            Self::ShareUsed => {
                "Too many requests from your address are in progress; try again".to_owned()
            }
            Self::Busy => BUSY.to_owned(),
            Self::Stopping => "The service is stopping; ask another replica".to_owned(),
            Self::NoCatalogFile(why) => (*why).to_owned(),
            Self::OnDemand
            | Self::Wait(_)
            | Self::Internal
            | Self::Invalid(_)
            | Self::Refused(_) => "Internal Server Error".to_owned(),
        }
    }

    pub(crate) fn body(self) -> Bytes {
        let body = match self {
            Self::Refused(body) => return body,
            Self::Invalid(detail) => serde_json::to_vec(&HttpValidationError { detail }),
            Self::Since(SinceError::Gone(_)) => serde_json::to_vec(&ChangesGone {
                detail: self.detail(),
                reset: true,
                snapshot: SNAPSHOT.to_owned(),
            }),
            other => serde_json::to_vec(&ErrorDetail { detail: other.detail() }),
        };
        body.unwrap_or_default().into()
    }
}

/// Where the whole catalog is.
const SNAPSHOT: &str = "/apps?limit=1000";

/// The body of a 410 answer.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "detail": "since: the changes since '3f9a2c71-12-0b5e11' are not available: they are too old, or the catalog was set up again; read all apps once, then follow the changes from there",
    "reset": true,
    "snapshot": "/apps?limit=1000"
}))]
pub(crate) struct ChangesGone {
    /// What is wrong, and what to do.
    detail: String,
    /// Always true: whoever follows the changes has to start again.
    reset: bool,
    /// Where to start: the first page of all apps. Its `ETag` is the next `since`.
    snapshot: String,
}

impl From<SinceError> for HttpError {
    fn from(error: SinceError) -> Self {
        Self::Since(error)
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
