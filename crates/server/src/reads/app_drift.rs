//! `GET /apps/{slug}/drift`: whether one app's sources disagree.

use appstitch_catalog::{DriftEntry, HttpValidationError};

use super::paging::read_scope;
use crate::{
    http_error::HttpError,
    message::{Asked, ReadContext, Reply},
    response::ErrorDetail,
    route::Route,
};

/// The route of this endpoint.
pub(crate) const ROUTE: Route = Route::get::<__path_read>("/apps/{slug}/drift", read);

/// Get one app's version drift
///
/// Returns `null` if the app has no drift: fewer than two sources state a version, or all agree.
#[utoipa::path(
    get,
    path = ROUTE.pattern,
    operation_id = "get_app_drift",
    tag = "drift",
    params(
        ("slug" = String, Path, description = "The app's slug", example = "firefoxpkg"),
        ("include" = Option<String>, Query, description = "Further sources to compare, separated by commas: `mdm_installer`, `store_listing`", example = "mdm_installer,store_listing"),
    ),
    responses(
        (status = 200, description = "The disagreement, or null", body = Option<DriftEntry>, headers(("etag" = String, description = "The catalog's token"))),
        (status = 304, description = "The client's copy is up to date"),
        (status = 404, description = "Unknown slug", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn read(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    let scope = read_scope(asked.query)?;
    Ok(context.snapshot.app_drift(&context.slug(), scope)?.into())
}
