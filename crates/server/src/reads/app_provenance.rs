//! `GET /apps/{slug}/provenance`: the source of each value of an app.

use appstitch_catalog::{HttpValidationError, Provenance};

use crate::{
    http_error::HttpError,
    message::{Asked, ReadContext, Reply},
    response::ErrorDetail,
    route::Route,
};

/// The route of this endpoint.
pub(crate) const ROUTE: Route = Route::get::<__path_read>("/apps/{slug}/provenance", read);

/// Get the provenance of an app's record
///
/// Names the source of every field, and for every source the matched entry and the evidence.
#[utoipa::path(
    get,
    path = ROUTE.pattern,
    operation_id = "get_app_provenance",
    tag = "apps",
    params(("slug" = String, Path, description = "The app's slug", example = "firefoxpkg")),
    responses(
        (status = 200, description = "The provenance", body = Provenance, headers(("etag" = String, description = "The catalog's token"))),
        (status = 304, description = "The client's copy is up to date"),
        (status = 404, description = "Unknown slug", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn read(context: &ReadContext<'_>, _: &Asked<'_>) -> Result<Reply, HttpError> {
    Ok(context.snapshot.app_provenance(&context.slug())?.into())
}
