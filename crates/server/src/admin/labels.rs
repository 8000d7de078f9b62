//! Labels that only a running shell can resolve, and the results of resolving them.

use std::sync::Arc;

use appstitch_publish::{BatchSummary, CatalogChange, ResolvedLines, ResolvedReport};
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
    rejection::UploadRejection,
    shared::{reject, respond},
    upload,
    work::Work,
};
use crate::{
    parts::ServiceParts,
    response::json_of,
    route::{Route, UPLOADS},
};

pub(crate) const UNRESOLVED_ROUTE: Route =
    Route::private("/admin/labels/unresolved", || get(unresolved_labels), UPLOADS);
pub(crate) const RESOLVED_ROUTE: Route =
    Route::private("/admin/labels/resolved", || post(resolved_labels), UPLOADS);

/// `GET /admin/labels/unresolved`: labels whose version or URL only a running shell can compute.
async fn unresolved_labels(
    State(service): State<Arc<ServiceParts>>,
    request: Request,
) -> Response<Body> {
    if let Err(rejection) = access::check(&service, request.headers()) {
        return reject(&service, rejection);
    }
    match unresolved(&service).await {
        Ok(names) => json_of(StatusCode::OK, &json!({ "labels": names })),
        Err(rejection) => rejection.into_response(),
    }
}

async fn unresolved(service: &ServiceParts) -> Result<Vec<String>, UploadRejection> {
    // All labels are decoded, which takes as much memory as an upload.
    let _work = Work::without_body(service).await?;
    let labels = service.publisher.labels().await?;
    let unresolved = labels.into_iter().filter(|label| !label.unresolved.is_empty());
    Ok(unresolved.map(|label| label.slug.to_string()).collect())
}

/// `POST /admin/labels/resolved`: results, one label per line.
async fn resolved_labels(
    State(service): State<Arc<ServiceParts>>,
    request: Request,
) -> Response<Body> {
    let result = take(&service, request).await;
    respond(&service, result)
}

async fn take(service: &ServiceParts, request: Request) -> Result<BatchSummary, UploadRejection> {
    let (body, work) = upload::receive(service, request).await?;
    let now = Timestamp::now();
    let reading = work
        .step(service, move |resources| Ok(ResolvedLines::read(&body, now, resources.budget())?));
    let (lines, work) = reading.await?;
    let change = CatalogChange::ResolvedLabels(lines);
    let mut published = work.publish(service, change).await?;
    let ResolvedReport { tally, labels } = published.resolved.take().unwrap_or_default();
    Ok(BatchSummary { labels, ..tally.summary(published) })
}
