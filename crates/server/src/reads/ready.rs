//! `GET /ready`: whether a load balancer should send requests here.

use std::sync::atomic::Ordering;

use serde_json::json;

use crate::{
    http_error::HttpError,
    message::{Asked, JSON, ReadContext, Reply, fixed_field},
    response::ErrorDetail,
    route::Route,
};

/// The route of this endpoint.
pub(crate) const ROUTE: Route = Route::get::<__path_read>("/ready", read);

/// Check whether requests should be sent here
#[utoipa::path(
    get,
    path = ROUTE.pattern,
    operation_id = "ready",
    tag = "service",
    responses(
        (status = 200, description = "A catalog is served. The store may be unavailable: reads do not need it", body = std::collections::BTreeMap<String, String>, example = json!({"status": "ready"})),
        (status = 503, description = "The service is starting or stopping; ask another replica", body = inline(ErrorDetail)),
    )
)]
fn read(context: &ReadContext<'_>, _: &Asked<'_>) -> Result<Reply, HttpError> {
    if context.parts.is_stopping.load(Ordering::Relaxed) {
        return Err(HttpError::Stopping);
    }
    Ok(Reply::Body {
        content_type: JSON,
        about: Some(fixed_field!("cache-control", "no-store")),
        body: json!({"status": "ready"}).to_string().into(),
    })
}
