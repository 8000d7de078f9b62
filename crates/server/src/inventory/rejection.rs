//! Why an inventory is not checked.

use appstitch_budget::Exceeded;
use appstitch_inventory::InventoryError;
use appstitch_types::ValidationError;
use appstitch_wire::request_body::BodyFault;
use axum::{
    body::Body,
    http::{Response, StatusCode},
    response::IntoResponse,
};

use crate::{
    http_error::HttpError,
    response::{BUSY, busy, detail},
};

#[derive(Debug)]
pub(crate) enum CheckRejection {
    Invalid(Box<ValidationError>),
    /// The form around the inventory.
    Form(String),
    UnknownEncoding(String),
    Body(BodyFault),
    Unreadable(InventoryError),
    Busy,
    Failed,
}

impl From<BodyFault> for CheckRejection {
    fn from(fault: BodyFault) -> Self {
        Self::Body(fault)
    }
}

impl From<InventoryError> for CheckRejection {
    fn from(error: InventoryError) -> Self {
        Self::Unreadable(error)
    }
}

impl CheckRejection {
    /// The status, and what is wrong in a sentence or two.
    pub(crate) fn explain(&self) -> (StatusCode, String) {
        match self {
            Self::Invalid(fault) => (StatusCode::UNPROCESSABLE_ENTITY, fault.msg.clone()),
            Self::Form(why) => (StatusCode::UNPROCESSABLE_ENTITY, why.clone()),
            Self::Failed => (StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error".to_owned()),
            Self::Busy
            | Self::Body(BodyFault::Busy)
            | Self::Unreadable(InventoryError::TooMuch(Exceeded::Pool(_))) => {
                (StatusCode::SERVICE_UNAVAILABLE, BUSY.to_owned())
            }
            Self::Unreadable(InventoryError::TooMuch(Exceeded::Time)) => {
                (StatusCode::SERVICE_UNAVAILABLE, "The request took too long; try again".to_owned())
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
            Self::Unreadable(error) => (status(error), error.to_string()),
        }
    }
}

impl IntoResponse for CheckRejection {
    fn into_response(self) -> Response<Body> {
        match self {
            Self::Invalid(fault) => HttpError::Invalid(vec![*fault]).into_response(),
            Self::Unreadable(InventoryError::TooMuch(Exceeded::Time)) => {
                HttpError::TookTooLong.into_response()
            }
            other => match other.explain() {
                (StatusCode::SERVICE_UNAVAILABLE, _) => busy(),
                (status, why) => detail(status, why),
            },
        }
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
