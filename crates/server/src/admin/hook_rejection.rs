//! Why a request about a webhook is rejected.

use appstitch_hooks::HookError;
use appstitch_wire::request_body::BodyFault;
use axum::{
    body::Body,
    http::{Response, StatusCode, header},
};

use super::{rejection::UploadRejection, shared::reject};
use crate::{
    parts::ServiceParts,
    response::{RETRY_AFTER, detail},
};

/// Why a request is rejected. It changed nothing.
pub(super) enum HookRejection {
    /// The token is missing, or the body did not arrive.
    Request(UploadRejection),
    /// The service sends no webhooks.
    Off,
    /// The body or a parameter is invalid.
    Unreadable(String),
    Hook(HookError),
}

impl HookRejection {
    pub(super) fn answer(self, service: &ServiceParts) -> Response<Body> {
        let (status, why) = match self {
            Self::Request(rejection) => return reject(service, rejection),
            Self::Off => {
                (StatusCode::SERVICE_UNAVAILABLE, "This service sends no webhooks".to_owned())
            }
            Self::Unreadable(why) => (StatusCode::UNPROCESSABLE_ENTITY, why),
            Self::Hook(error) => (status(&error), message(error)),
        };
        tracing::info!(status = status.as_u16(), "rejected a request about a hook");
        let mut response = detail(status, why);
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
        }
        response
    }
}

fn status(error: &HookError) -> StatusCode {
    match error {
        HookError::Unknown(_) => StatusCode::NOT_FOUND,
        HookError::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
        HookError::Full(_) | HookError::Disabled => StatusCode::CONFLICT,
        HookError::TooOld => StatusCode::GONE,
        HookError::Busy | HookError::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
        HookError::NoRandomness(_) | HookError::Stopped => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// What the client gets to know. Internals are logged instead.
fn message(error: HookError) -> String {
    match error {
        HookError::Store(error) => {
            tracing::error!(%error, "cannot read or write the hooks");
            "Cannot use the store. Nothing was changed; try again".to_owned()
        }
        HookError::NoRandomness(_) | HookError::Stopped => {
            tracing::error!(%error, "cannot work on the hooks");
            "Internal Server Error".to_owned()
        }
        // It is a segment of the path, which can be long.
        HookError::Unknown(id) => HookError::Unknown(id.chars().take(100).collect()).to_string(),
        error => error.to_string(),
    }
}

impl From<HookError> for HookRejection {
    fn from(error: HookError) -> Self {
        Self::Hook(error)
    }
}

impl From<UploadRejection> for HookRejection {
    fn from(rejection: UploadRejection) -> Self {
        Self::Request(rejection)
    }
}

impl From<BodyFault> for HookRejection {
    fn from(fault: BodyFault) -> Self {
        Self::Request(fault.into())
    }
}
