//! Labels that only a running shell can resolve, and the results of resolving them.

use std::sync::Arc;

use appstitch_budget::Budget;
use appstitch_publish::{
    BatchSummary, CatalogChange, ResolvedUpload, check_line_count, read_resolved_labels,
};
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
    check_line_count(&body).map_err(UploadRefusal::TooManyLines)?;
    let documents = service.publisher.label_documents().await?;
    let now = Timestamp::now();
    let read = move || read_resolved_labels(&body, &documents, now, &mut Budget::default());
    let read = blocking(service, read).await?.map_err(UploadRefusal::TooMuch)?;
    let ResolvedUpload { uploads, tally, labels } = read;
    let change = CatalogChange::Sources { uploads, staying: Vec::new(), allow_shrink: true };
    let published = service.publisher.publish(change).await?;
    Ok(BatchSummary { labels, ..tally.summary(published) })
}
