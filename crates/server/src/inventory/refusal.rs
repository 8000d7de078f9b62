//! Why an inventory is not checked.

use appstitch_budget::Exceeded;
use appstitch_catalog::ValidationError;
use appstitch_inventory::InventoryError;
use axum::{
    body::Body,
    http::{Response, StatusCode},
    response::IntoResponse,
};

use crate::{
    http_error::HttpError,
    request_body::BodyFault,
    response::{busy, detail},
};

/// Why an inventory is not checked.
#[derive(Debug)]
pub(super) enum CheckRefusal {
    Invalid(Box<ValidationError>),
    UnknownEncoding(String),
    Body(BodyFault),
    Unreadable(InventoryError),
    Busy,
    Failed,
}

impl From<BodyFault> for CheckRefusal {
    fn from(fault: BodyFault) -> Self {
        Self::Body(fault)
    }
}

impl From<InventoryError> for CheckRefusal {
    fn from(error: InventoryError) -> Self {
        Self::Unreadable(error)
    }
}

impl IntoResponse for CheckRefusal {
    fn into_response(self) -> Response<Body> {
        let (status, why) = match self {
            Self::Invalid(fault) => return HttpError::Invalid(vec![*fault]).into_response(),
            Self::Failed => return HttpError::Internal.into_response(),
            Self::Busy
            | Self::Body(BodyFault::Busy)
            | Self::Unreadable(InventoryError::TooMuch(Exceeded::Pool(_))) => return busy(),
            Self::Unreadable(InventoryError::TooMuch(Exceeded::Time)) => {
                return HttpError::TookTooLong.into_response();
            }
            Self::UnknownEncoding(encoding) => (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                format!("Content-Encoding '{encoding}' is not supported; use gzip, zstd or none"),
            ),
            Self::Body(BodyFault::TooLarge { limit }) => (
                StatusCode::PAYLOAD_TOO_LARGE,
                format!(
                    "The body is larger than {limit} bytes; compress it with gzip or zstd, or send fewer Macs at a time"
                ),
            ),
            Self::Body(BodyFault::Slow) => (
                StatusCode::REQUEST_TIMEOUT,
                "The body took too long to arrive; send it again".to_owned(),
            ),
            Self::Body(BodyFault::Incomplete(_)) => {
                (StatusCode::BAD_REQUEST, "The request is incomplete".to_owned())
            }
            Self::Unreadable(error) => (status(&error), error.to_string()),
        };
        detail(status, why)
    }
}

fn status(error: &InventoryError) -> StatusCode {
    match error {
        InventoryError::TooLarge(_)
        | InventoryError::TooMuch(Exceeded::Bytes(_) | Exceeded::Rows(_) | Exceeded::Steps(_)) => {
            StatusCode::PAYLOAD_TOO_LARGE
        }
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}
