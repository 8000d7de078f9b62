//! `GET /apps/{slug}/details`: what the sources know about an app beyond its record.

use appstitch_catalog::{AppDetails, HttpValidationError};

use crate::{
    http_error::HttpError,
    message::{Asked, ReadContext, Reply},
    response::ErrorDetail,
    route::Route,
};

/// The route of this endpoint.
pub(crate) const ROUTE: Route = Route::get::<__path_read>("/apps/{slug}/details", read);

/// Get an app's details
///
/// Returns what the sources know beyond the record: description, home page, requirements,
/// deprecation, files, other names and variants. A field is null if no source knows it.
#[utoipa::path(
    get,
    path = ROUTE.pattern,
    operation_id = "get_app_details",
    tag = "apps",
    params(("slug" = String, Path, description = "The app's slug", example = "firefox")),
    responses(
        (status = 200, description = "The details", body = AppDetails, headers(("etag" = String, description = "The catalog's token"))),
        (status = 304, description = "The client's copy is up to date"),
        (status = 404, description = "Unknown slug", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn read(context: &ReadContext<'_>, _: &Asked<'_>) -> Result<Reply, HttpError> {
    Ok(context.snapshot.app_details(&context.slug())?.into())
}
