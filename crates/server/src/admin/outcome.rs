//! What the routes of `/admin` share: reading `allow_shrink`, running work off the async threads, and
//! reporting a result or a rejection to the client, the metrics and the log.

use std::time::Instant;

use appstitch_publish::{BatchSummary, FailPoint};
use axum::{
    body::Body,
    http::{Response, StatusCode},
    response::IntoResponse,
};

use super::refusal::UploadRefusal;
use crate::{metrics::UploadResult, parts::ServiceParts, response::json_of};

/// How much memory records or documents take while they are published, compared to their size: rows
/// to write, records, and the bytes of the next snapshot.
pub(super) const PUBLISHING: usize = 4;

pub(super) fn allows_shrink(query: Option<&str>) -> bool {
    form_urlencoded::parse(query.unwrap_or_default().as_bytes())
        .filter(|(name, _)| name == "allow_shrink")
        .last()
        .is_some_and(|(_, value)| {
            ["", "true", "1", "yes", "on"].iter().any(|word| value.eq_ignore_ascii_case(word))
        })
}

pub(super) fn respond(
    service: &ServiceParts,
    result: Result<BatchSummary, UploadRefusal>,
) -> Response<Body> {
    match result {
        Ok(summary) => {
            let outcome =
                if summary.changed { UploadResult::Changed } else { UploadResult::Unchanged };
            service.metrics.count_upload(outcome);
            tracing::info!(
                revision = summary.revision,
                changed = summary.changed,
                received = summary.received,
                rejected = summary.rejected,
                "accepted an upload"
            );
            json_of(StatusCode::OK, &summary)
        }
        Err(refusal) => {
            service.metrics.count_upload(UploadResult::Refused);
            refuse(service, refusal)
        }
    }
}

/// Logs a rejection and answers with it. Anybody can send requests without the token, so those must
/// not fill the log.
pub(super) fn refuse(service: &ServiceParts, refusal: UploadRefusal) -> Response<Body> {
    let is_anonymous = refusal.is_anonymous();
    let response = refusal.into_response();
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
pub(super) async fn blocking<T, W>(service: &ServiceParts, work: W) -> Result<T, UploadRefusal>
where
    T: Send + 'static,
    W: FnOnce() -> T + Send + 'static,
{
    let work = || FailPoint::Parse.reach().map(|()| work());
    let done = service.publisher.background().run_blocking(work).await;
    done.map_err(|_| UploadRefusal::Failed)?.map_err(|_| UploadRefusal::Failed)
}
