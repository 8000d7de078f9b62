//! `GET /stats`: the catalog in numbers.

use appstitch_catalog::CatalogStats;

use crate::{
    http_error::HttpError,
    message::{Asked, JSON, ReadContext, Reply, fixed_field},
    route::Route,
};

/// The route of this endpoint.
pub(crate) const ROUTE: Route = Route::get::<__path_read>("/stats", read);

/// Get catalog statistics
#[utoipa::path(
    get,
    path = ROUTE.pattern,
    operation_id = "get_stats",
    tag = "service",
    responses((status = 200, description = "Catalog statistics", body = CatalogStats))
)]
#[expect(clippy::unnecessary_wraps, reason = "every endpoint has this shape")]
fn read(context: &ReadContext<'_>, _: &Asked<'_>) -> Result<Reply, HttpError> {
    Ok(Reply::Body {
        content_type: JSON,
        about: Some(fixed_field!("cache-control", "no-cache")),
        body: context.snapshot.stats_body().clone(),
    })
}
