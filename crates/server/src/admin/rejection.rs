//! Why an upload is rejected, and what to do about it.

use appstitch_budget::Exceeded;
use appstitch_publish::{Batch, LinesError, MAX_RESOLVED_LINES, PublishError, TooManyLines};
use appstitch_wire::request_body::BodyFault;
use axum::{
    body::Body,
    http::{HeaderValue, Response, StatusCode, header},
    response::IntoResponse,
};
use serde_json::json;

use crate::response::{RETRY_AFTER, detail, json_of};

/// Why an upload is rejected. It changed nothing.
#[derive(Debug)]
pub(super) enum UploadRejection {
    UploadsOff,
    Unauthorized,
    TwoTokens,
    TooLarge { limit: usize, is_unpacked: bool },
    TooManyLines(TooManyLines),
    TooMuch(Exceeded),
    UnknownEncoding(String),
    Unreadable(String),
    UnknownSource(String),
    OtherSlug { path: String, body: String },
    Slow,
    Busy,
    Failed,
    Publish(PublishError),
}

impl UploadRejection {
    pub(super) fn unreadable(batch: &Batch) -> Self {
        let first = batch.tally.problems.first();
        let why = first
            .map_or_else(String::new, |problem| format!(": {}: {}", problem.what, problem.why));
        Self::Unreadable(format!("The body contains no valid record{why}"))
    }

    /// Whether it can be caused without the deploy token.
    pub(super) fn is_anonymous(&self) -> bool {
        matches!(self, Self::UploadsOff | Self::Unauthorized | Self::TwoTokens)
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::UploadsOff | Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::TooMuch(limit) if limit.may_pass() => StatusCode::SERVICE_UNAVAILABLE,
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::TwoTokens => StatusCode::BAD_REQUEST,
            Self::TooLarge { .. } | Self::TooManyLines(_) | Self::TooMuch(_) => {
                StatusCode::PAYLOAD_TOO_LARGE
            }
            Self::UnknownEncoding(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Unreadable(_) | Self::OtherSlug { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            Self::UnknownSource(_) => StatusCode::NOT_FOUND,
            Self::Slow => StatusCode::REQUEST_TIMEOUT,
            Self::Failed => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Publish(error) => match error {
                PublishError::Shrinks { .. } | PublishError::Mirror => StatusCode::CONFLICT,
                PublishError::UnknownRecord(_) => StatusCode::NOT_FOUND,
                PublishError::CaseTwin { .. } => StatusCode::UNPROCESSABLE_ENTITY,
                PublishError::Store(_) | PublishError::Uncertain | PublishError::Outdated => {
                    StatusCode::SERVICE_UNAVAILABLE
                }
                PublishError::Json(_)
                | PublishError::Sample(_)
                | PublishError::ForeignCopy
                | PublishError::Copy(_)
                | PublishError::WorkerGone => StatusCode::INTERNAL_SERVER_ERROR,
            },
        }
    }

    fn detail(&self) -> String {
        match self {
            Self::UploadsOff => {
                "Uploads are disabled; start the server with APPSTITCH_DEPLOY_TOKEN or --deploy-token-file".to_owned()
            }
            Self::Unauthorized => {
                "Send the deploy token as 'Authorization: Bearer <token>'".to_owned()
            }
            Self::TwoTokens => "A request may have only one Authorization header".to_owned(),
            Self::TooLarge { limit, is_unpacked: false } => {
                format!("The body is larger than {limit} bytes; compress it with gzip or zstd")
            }
            Self::TooLarge { limit, is_unpacked: true } => {
                format!("The body is larger than {limit} bytes uncompressed; send less at a time")
            }
            Self::TooManyLines(_) => format!(
                "The body has more than {MAX_RESOLVED_LINES} lines; send less at a time"
            ),
            Self::UnknownEncoding(encoding) => {
                format!("Content-Encoding '{encoding}' is not supported; use gzip, zstd or none")
            }
            Self::Unreadable(why) => why.clone(),
            Self::UnknownSource(token) => format!(
                "Unknown source '{token}'; use label_tool, cask_catalog, recipe_index, mdm_installer, store_listing, label_versions or patch_titles"
            ),
            Self::OtherSlug { path, body } => {
                format!("The slug in the path is '{path}', but the record's is '{body}'")
            }
            Self::Slow => "The body took too long to arrive; send it again".to_owned(),
            Self::Busy => {
                "Too many uploads at once. Nothing was changed; try again later".to_owned()
            }
            Self::TooMuch(limit) if limit.may_pass() => {
                "Other uploads use the memory at the moment. Nothing was changed; try again later"
                    .to_owned()
            }
            Self::TooMuch(limit) => {
                format!("The body is too much work: {limit}; send less at a time")
            }
            Self::Failed => "Internal Server Error".to_owned(),
            Self::Publish(error) => match error {
                PublishError::Shrinks { removed, present, .. } => format!(
                    "This would remove {removed} of {present} records, more than a fifth. \
                     Nothing was changed; if this is intended, send it again with ?allow_shrink=true"
                ),
                PublishError::UnknownRecord(slug) => format!("No manual record has the slug '{slug}'"),
                PublishError::CaseTwin { given, stored } => format!(
                    "The slug '{given}' differs from the manual record '{stored}' only in case; \
                     use that slug, or delete that record first"
                ),
                PublishError::Store(_) => {
                    "Cannot write to the store. Nothing was changed; try again".to_owned()
                }
                PublishError::Uncertain => {
                    "The store's answer was lost. The change may have been made; send it again"
                        .to_owned()
                }
                PublishError::Outdated => {
                    "A newer version of appstitch has taken over the store. Nothing was changed; \
                     upgrade this server, or send it to one that is upgraded"
                        .to_owned()
                }
                PublishError::Mirror => {
                    "This server is a mirror. Nothing was changed; send it to the origin".to_owned()
                }
                PublishError::Json(_)
                | PublishError::Sample(_)
                | PublishError::ForeignCopy
                | PublishError::Copy(_)
                | PublishError::WorkerGone => "Internal Server Error".to_owned(),
            },
        }
    }
}

impl From<LinesError> for UploadRejection {
    fn from(error: LinesError) -> Self {
        match error {
            LinesError::TooMany(error) => Self::TooManyLines(error),
            LinesError::Exceeded(limit) => Self::TooMuch(limit),
        }
    }
}

impl From<PublishError> for UploadRejection {
    fn from(error: PublishError) -> Self {
        let is_of_upload = matches!(
            error,
            PublishError::Shrinks { .. }
                | PublishError::UnknownRecord(_)
                | PublishError::CaseTwin { .. }
                | PublishError::Mirror
        );
        if !is_of_upload {
            tracing::error!(%error, "cannot publish an upload");
        }
        Self::Publish(error)
    }
}

impl From<Exceeded> for UploadRejection {
    fn from(limit: Exceeded) -> Self {
        Self::TooMuch(limit)
    }
}

impl From<BodyFault> for UploadRejection {
    fn from(fault: BodyFault) -> Self {
        match fault {
            BodyFault::TooLarge { limit } => {
                let limit = usize::try_from(limit).unwrap_or(usize::MAX);
                Self::TooLarge { limit, is_unpacked: false }
            }
            BodyFault::Busy => Self::Busy,
            BodyFault::Slow => Self::Slow,
            BodyFault::Incomplete(error) => {
                Self::Unreadable(format!("The body is incomplete: {error}"))
            }
        }
    }
}

impl IntoResponse for UploadRejection {
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
            Self::UnknownEncoding(_) => {
                headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip, zstd"));
            }
            Self::Busy
            | Self::Publish(
                PublishError::Store(_) | PublishError::Uncertain | PublishError::Outdated,
            ) => {
                headers.insert(header::RETRY_AFTER, RETRY_AFTER);
            }
            Self::TooMuch(limit) if limit.may_pass() => {
                headers.insert(header::RETRY_AFTER, RETRY_AFTER);
            }
            _ => {}
        }
        response
    }
}
