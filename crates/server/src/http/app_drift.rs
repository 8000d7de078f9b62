//! `GET /apps/{slug}/drift`: whether one app's sources disagree.

use appstitch_catalog::{DriftEntry, HttpValidationError};

use super::{Problem, get_app, problem::ErrorDetail};
use crate::snapshot::{Resource, Snapshot};

/// Get one app's version drift
///
/// `null` when the app has no drift: fewer than two versioned sources, or all agree.
#[utoipa::path(
    get,
    path = "/apps/{slug}/drift",
    operation_id = "get_app_drift",
    tag = "drift",
    params(("slug" = String, Path, description = "The app's slug")),
    responses(
        (status = 200, description = "The disagreement, or null", body = Option<DriftEntry>, headers(("etag" = String, description = "The catalog's token"))),
        (status = 304, description = "The client's copy is current"),
        (status = 404, description = "The slug is unknown", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
pub(crate) fn find(snapshot: &Snapshot, slug: &str) -> Result<Resource, Problem> {
    get_app::position(snapshot, slug).map(Resource::AppDrift)
}
