//! `GET /stats`: the catalog in numbers.

use appstitch_catalog::CatalogStats;
use axum::{
    body::Body,
    http::{HeaderValue, Response, header},
};

use crate::snapshot::Snapshot;

/// Get catalog statistics
#[utoipa::path(
    get,
    path = "/stats",
    operation_id = "get_stats",
    tag = "service",
    responses((status = 200, description = "The catalog in numbers", body = CatalogStats))
)]
pub(crate) fn show(snapshot: &Snapshot) -> Response<Body> {
    let mut response = Response::new(Body::from(snapshot.stats_body()));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}
