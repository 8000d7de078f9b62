//! `GET /health`: whether the service answers, and what it serves.

use axum::{
    body::Body,
    http::{HeaderValue, Response, StatusCode, header},
};

use super::problem::json;
use crate::snapshot::Snapshot;

/// Check the service's health
#[utoipa::path(
    get,
    path = "/health",
    operation_id = "health",
    tag = "service",
    responses((status = 200, description = "Strings about the running service", body = std::collections::BTreeMap<String, String>))
)]
pub(crate) fn show(snapshot: &Snapshot) -> Response<Body> {
    let mut response = json(
        StatusCode::OK,
        &serde_json::json!({
            "status": "ok",
            "version": env!("CARGO_PKG_VERSION"),
            "revision": snapshot.token(),
            "apps": snapshot.stats().total_apps.to_string(),
        }),
    );
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
