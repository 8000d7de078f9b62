//! `GET /apps/{slug}/sources`: what each source said about an app.

use appstitch_catalog::{AppSources, HttpValidationError};

use super::{Problem, get_app, problem::ErrorDetail};
use crate::snapshot::{Resource, Snapshot};

/// Get an app's raw source payloads
///
/// Every key is always present, and null where a source contributed nothing.
#[utoipa::path(
    get,
    path = "/apps/{slug}/sources",
    operation_id = "get_app_sources",
    tag = "apps",
    params(("slug" = String, Path, description = "The app's slug")),
    responses(
        (status = 200, description = "The payloads", body = AppSources, headers(("etag" = String, description = "The catalog's token"))),
        (status = 304, description = "The client's copy is current"),
        (status = 404, description = "The slug is unknown", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
pub(crate) fn find(snapshot: &Snapshot, slug: &str) -> Result<Resource, Problem> {
    get_app::position(snapshot, slug).map(Resource::Sources)
}
