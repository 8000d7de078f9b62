//! `GET /apps/{slug}/history`: the versions that an app had.

use appstitch_catalog::{AppHistory, HttpValidationError};

use crate::{
    http_error::HttpError,
    message::{Asked, ReadContext, Reply},
    response::ErrorDetail,
    route::Route,
};

/// The route of this endpoint.
pub(crate) const ROUTE: Route = Route::get::<__path_read>("/apps/{slug}/history", read);

/// Get the versions that an app had
///
/// Returns every version that the catalog had for the app, newest first, with the time when it was first
/// seen and the time when it was replaced. Times are those of the catalog, not of the vendor's release. A
/// version that was there before the journal of changes began has no first time. If the app was renamed,
/// the versions under its former slugs are included.
#[utoipa::path(
    get,
    path = ROUTE.pattern,
    operation_id = "get_app_history",
    tag = "changes",
    params(("slug" = String, Path, description = "The app's slug", example = "firefoxpkg")),
    responses(
        (status = 200, description = "The versions", body = AppHistory, headers(("etag" = String, description = "The catalog's token"))),
        (status = 304, description = "The client's copy is up to date"),
        (status = 404, description = "Unknown slug", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn read(context: &ReadContext<'_>, _: &Asked<'_>) -> Result<Reply, HttpError> {
    let history = context.snapshot.history(&context.slug())?;
    let body = serde_json::to_vec(&history).map_err(|_| HttpError::Internal)?;
    Ok(Reply::Tagged(body.into()))
}
