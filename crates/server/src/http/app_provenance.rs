//! `GET /apps/{slug}/provenance`: where each value of an app is from.

use appstitch_catalog::{HttpValidationError, Provenance};

use super::{Problem, get_app, problem::ErrorDetail};
use crate::snapshot::{Resource, Snapshot};

/// Get the provenance of an app's record
///
/// For every field which source gave it, and for every source which entry was matched and by
/// what evidence.
#[utoipa::path(
    get,
    path = "/apps/{slug}/provenance",
    operation_id = "get_app_provenance",
    tag = "apps",
    params(("slug" = String, Path, description = "The app's slug")),
    responses(
        (status = 200, description = "The provenance", body = Provenance, headers(("etag" = String, description = "The catalog's token"))),
        (status = 304, description = "The client's copy is current"),
        (status = 404, description = "The slug is unknown", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
pub(crate) fn find(snapshot: &Snapshot, slug: &str) -> Result<Resource, Problem> {
    get_app::position(snapshot, slug).map(Resource::Provenance)
}
