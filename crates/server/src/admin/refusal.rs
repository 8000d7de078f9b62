//! Why an upload was not taken, and what the uploader should do about it.

use appstitch_publish::{Batch, PublishError};
use axum::{
    body::Body,
    http::{HeaderValue, Response, StatusCode, header},
    response::IntoResponse,
};

use serde_json::json;

use crate::response::{detail, json_of};

/// An upload that changed nothing.
#[derive(Debug)]
pub(super) enum Refusal {
    UploadsOff,
    Unauthorized,
    TooLarge { limit: usize, unpacked: bool },
    UnknownCoding(String),
    Unreadable(String),
    UnknownSource(String),
    OtherSlug { path: String, body: String },
    Slow,
    Failed,
    Publish(PublishError),
}

impl Refusal {
    /// A body without a single record in it.
    pub(super) fn unreadable(batch: &Batch) -> Self {
        let first = batch.problems.first();
        let why = first
            .map_or_else(String::new, |problem| format!(": {}: {}", problem.what, problem.why));
        Self::Unreadable(format!("The body holds no record{why}"))
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::UploadsOff => StatusCode::SERVICE_UNAVAILABLE,
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnknownCoding(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Unreadable(_) | Self::OtherSlug { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            Self::UnknownSource(_) => StatusCode::NOT_FOUND,
            Self::Slow => StatusCode::REQUEST_TIMEOUT,
            Self::Failed => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Publish(error) => match error {
                PublishError::Shrinks { .. } => StatusCode::CONFLICT,
                PublishError::UnknownRecord(_) => StatusCode::NOT_FOUND,
                PublishError::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
                PublishError::Json(_) | PublishError::WorkerGone => {
                    StatusCode::INTERNAL_SERVER_ERROR
                }
            },
        }
    }

    fn detail(&self) -> String {
        match self {
            Self::UploadsOff => {
                "Uploads are off: start the server with APPSTITCH_DEPLOY_TOKEN or --deploy-token-file".to_owned()
            }
            Self::Unauthorized => {
                "Send the deploy token as 'Authorization: Bearer <token>'".to_owned()
            }
            Self::TooLarge { limit, unpacked: false } => {
                format!("The body is larger than {limit} bytes: compress it with gzip or zstd")
            }
            Self::TooLarge { limit, unpacked: true } => {
                format!("The body is larger than {limit} bytes once unpacked: send less at a time")
            }
            Self::UnknownCoding(coding) => {
                format!("Content-Encoding '{coding}' is not known: use gzip, zstd or none")
            }
            Self::Unreadable(why) => why.clone(),
            Self::UnknownSource(token) => format!(
                "There is no source '{token}': use label_tool, cask_catalog, recipe_index, mdm_installer or store_listing"
            ),
            Self::OtherSlug { path, body } => {
                format!("The path names '{path}' and the body '{body}': send a record to its own path")
            }
            Self::Slow => "The body took too long to arrive: send it again".to_owned(),
            Self::Failed => "Internal Server Error".to_owned(),
            Self::Publish(error) => match error {
                PublishError::Shrinks { removed, present, .. } => format!(
                    "This would remove {removed} of {present} records, more than a fifth: \
                     nothing was changed; if it is meant, send it again with ?allow_shrink=true"
                ),
                PublishError::UnknownRecord(slug) => format!("No hand-given record has the slug '{slug}'"),
                PublishError::Store(_) => {
                    "The store could not be written: nothing was changed, try again".to_owned()
                }
                PublishError::Json(_) | PublishError::WorkerGone => "Internal Server Error".to_owned(),
            },
        }
    }
}

impl From<PublishError> for Refusal {
    fn from(error: PublishError) -> Self {
        if !matches!(error, PublishError::Shrinks { .. } | PublishError::UnknownRecord(_)) {
            tracing::error!(%error, "an upload could not be published");
        }
        Self::Publish(error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response<Body> {
        let mut response = match &self {
            Self::Publish(PublishError::Shrinks { source_token, removed, present }) => json_of(
                self.status(),
                &json!({
                    "detail": self.detail(),
                    "source": source_token,
                    "removed": removed,
                    "present": present,
                }),
            ),
            _ => detail(self.status(), self.detail()),
        };
        let headers = response.headers_mut();
        match self {
            Self::Unauthorized => {
                let challenge = HeaderValue::from_static("Bearer realm=\"appstitch\"");
                headers.insert(header::WWW_AUTHENTICATE, challenge);
            }
            Self::UnknownCoding(_) => {
                headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip, zstd"));
            }
            _ => {}
        }
        response
    }
}
