//! `GET /ready`: whether a load balancer should send requests here.

use std::sync::atomic::Ordering;

use serde_json::json;

use crate::{
    http_error::HttpError,
    message::{EndpointResult, JSON, ReadContext, ReadRequest, Representation, fixed_field},
    response::ErrorDetail,
    route::{Export, Route},
};

pub(crate) const ROUTE: Route =
    Route::get("/ready", read, Export::LiveOnly("it is about a live server"))
        .documented::<__path_read>();

/// Check whether requests should be sent here
#[utoipa::path(
    get,
    path = ROUTE.path,
    operation_id = "ready",
    tag = "service",
    responses(
        (status = 200, description = "A catalog is served. The store may be unavailable: reads do not need it", body = std::collections::BTreeMap<String, String>, example = json!({"status": "ready"})),
        (status = 503, description = "The service is starting or stopping; ask another replica", body = inline(ErrorDetail)),
    )
)]
fn read(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    if context.parts.is_stopping.load(Ordering::Relaxed) {
        return Err(HttpError::Stopping);
    }
    Ok(Representation::Body {
        content_type: JSON,
        about: Some(fixed_field!("cache-control", "no-store")),
        body: json!({"status": "ready"}).to_string().into(),
    })
}
