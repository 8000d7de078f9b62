//! Labels that only a running shell can resolve, and the results of resolving them.

use std::sync::Arc;

use appstitch_budget::Budget;
use appstitch_publish::{BatchSummary, CatalogChange, ResolvedLines, ResolvedOutcome};
use axum::{
    body::Body,
    extract::{Request, State},
    http::{Response, StatusCode},
    response::IntoResponse,
    routing::{get, post},
};
use jiff::Timestamp;
use serde_json::json;

use super::{
    access,
    outcome::{blocking, respond},
    refusal::UploadRefusal,
    upload,
};
use crate::{parts::ServiceParts, response::json_of, route::Route};

pub(crate) const UNRESOLVED_ROUTE: Route =
    Route::library("/admin/labels/unresolved", || get(unresolved_labels));
pub(crate) const RESOLVED_ROUTE: Route =
    Route::library("/admin/labels/resolved", || post(resolved_labels));

/// `GET /admin/labels/unresolved`: labels whose version or URL only a running shell can compute.
async fn unresolved_labels(
    State(service): State<Arc<ServiceParts>>,
    request: Request,
) -> Response<Body> {
    if let Err(refusal) = access::check(&service, request.headers()) {
        return refusal.into_response();
    }
    match service.publisher.labels().await {
        Ok(labels) => {
            let names: Vec<&str> = labels
                .iter()
                .filter(|label| !label.unresolved.is_empty())
                .map(|label| label.slug.as_str())
                .collect();
            json_of(StatusCode::OK, &json!({ "labels": names }))
        }
        Err(error) => UploadRefusal::from(error).into_response(),
    }
}

/// `POST /admin/labels/resolved`: results, one label per line.
async fn resolved_labels(
    State(service): State<Arc<ServiceParts>>,
    request: Request,
) -> Response<Body> {
    let result = take(&service, request).await;
    respond(&service, result)
}

async fn take(service: &ServiceParts, request: Request) -> Result<BatchSummary, UploadRefusal> {
    let body = upload::receive(service, request).await?;
    let now = Timestamp::now();
    let read = move || ResolvedLines::read(&body, now, &mut Budget::default());
    let change = CatalogChange::ResolvedLabels(blocking(service, read).await??);
    let mut published = service.publisher.publish(change).await?;
    let ResolvedOutcome { tally, labels } = published.resolved.take().unwrap_or_default();
    Ok(BatchSummary { labels, ..tally.summary(published) })
}
