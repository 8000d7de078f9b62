//! `GET /apps/{slug}/sources`: what each source said about an app.

use appstitch_catalog::{AppSources, HttpValidationError};

use crate::{
    http_error::HttpError,
    message::{Asked, ReadContext, Reply},
    response::ErrorDetail,
    route::Route,
};

/// The route of this endpoint.
pub(crate) const ROUTE: Route = Route::get::<__path_read>("/apps/{slug}/sources", read);

/// Get an app's raw source payloads
///
/// Every key is always present; it is null if the source contributed nothing.
#[utoipa::path(
    get,
    path = ROUTE.pattern,
    operation_id = "get_app_sources",
    tag = "apps",
    params(("slug" = String, Path, description = "The app's slug", example = "firefoxpkg")),
    responses(
        (status = 200, description = "The payloads", body = AppSources, headers(("etag" = String, description = "The catalog's token"))),
        (status = 304, description = "The client's copy is up to date"),
        (status = 404, description = "Unknown slug", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn read(context: &ReadContext<'_>, _: &Asked<'_>) -> Result<Reply, HttpError> {
    Ok(context.snapshot.app_sources(&context.slug())?.into())
}
