//! `GET /stats`: the catalog in numbers.

use appstitch_types::CatalogStats;

use crate::{
    message::{EndpointResult, JSON, ReadContext, ReadRequest, Representation, fixed_field},
    route::{Export, Route},
};

pub(crate) const ROUTE: Route =
    Route::get("/stats", read, Export::Path("stats.json")).documented::<__path_read>();

/// Get catalog statistics
#[utoipa::path(
    get,
    path = ROUTE.path,
    operation_id = "get_stats",
    tag = "service",
    responses((status = 200, description = "Catalog statistics", body = CatalogStats))
)]
#[expect(clippy::unnecessary_wraps, reason = "every endpoint has this shape")]
fn read(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    Ok(Representation::Body {
        content_type: JSON,
        about: Some(fixed_field!("cache-control", "no-cache")),
        body: context.snapshot.stats_body().clone(),
    })
}
