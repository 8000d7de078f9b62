//! What the routes of `/admin` share: reading `allow_shrink`, running work off the async threads, and
//! reporting a result or a rejection to the client, the metrics and the log.

use std::time::Instant;

use appstitch_publish::{BatchSummary, FailPoint};
use axum::{
    body::Body,
    http::{Response, StatusCode},
    response::IntoResponse,
};

use super::rejection::UploadRejection;
use crate::{metrics::UploadResult, parts::ServiceParts, query::Parameters, response::json_of};

/// How much memory records or documents take while they are published, compared to their size: rows
/// to write, records, and the bytes of the next snapshot.
pub(super) const PUBLISHING: usize = 4;

pub(super) fn allows_shrink(query: Option<&str>) -> bool {
    Parameters::of(query).last_of("allow_shrink").is_some_and(|value| {
        ["", "true", "1", "yes", "on"].iter().any(|word| value.eq_ignore_ascii_case(word))
    })
}

pub(super) fn respond(
    service: &ServiceParts,
    result: Result<BatchSummary, UploadRejection>,
) -> Response<Body> {
    match result {
        Ok(summary) => {
            let result =
                if summary.changed { UploadResult::Changed } else { UploadResult::Unchanged };
            service.metrics.count_upload(result);
            tracing::info!(
                revision = summary.revision,
                changed = summary.changed,
                received = summary.received,
                rejected = summary.rejected,
                "accepted an upload"
            );
            json_of(StatusCode::OK, &summary)
        }
        Err(rejection) => {
            service.metrics.count_upload(UploadResult::Rejected);
            reject(service, rejection)
        }
    }
}

/// Logs a rejection and answers with it. Any client can send requests without the token, so those must
/// not fill the log.
pub(super) fn reject(service: &ServiceParts, rejection: UploadRejection) -> Response<Body> {
    let is_anonymous = rejection.is_anonymous();
    let response = rejection.into_response();
    let status = response.status().as_u16();
    if !is_anonymous {
        tracing::info!(status, "rejected an upload");
        return response;
    }
    tracing::debug!(status, "rejected a request without the deploy token");
    if let Some(requests) = service.anonymous_requests.count(Instant::now()) {
        tracing::warn!(requests, "rejected requests to /admin without the deploy token");
    }
    response
}

/// Runs work that would block an async thread, at the priority of background work.
pub(super) async fn blocking<T, W>(service: &ServiceParts, work: W) -> Result<T, UploadRejection>
where
    T: Send + 'static,
    W: FnOnce() -> T + Send + 'static,
{
    let work = || FailPoint::Parse.reach().map(|()| work());
    let done = service.publisher.background().run_blocking(work).await;
    done.map_err(|_| UploadRejection::Failed)?.map_err(|_| UploadRejection::Failed)
}
