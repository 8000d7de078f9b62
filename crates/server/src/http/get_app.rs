//! `GET /apps/{slug}`: one app.

use appstitch_catalog::{App, HttpValidationError};

use super::{Problem, problem::ErrorDetail};
use crate::snapshot::{Resource, Snapshot};

/// Get one app
#[utoipa::path(
    get,
    path = "/apps/{slug}",
    operation_id = "get_app",
    tag = "apps",
    params(("slug" = String, Path, description = "The app's slug")),
    responses(
        (status = 200, description = "The app", body = App, headers(("etag" = String, description = "The catalog's token"))),
        (status = 304, description = "The client's copy is current"),
        (status = 404, description = "The slug is unknown", body = inline(ErrorDetail)),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
pub(crate) fn find(snapshot: &Snapshot, slug: &str) -> Result<Resource, Problem> {
    position(snapshot, slug).map(Resource::App)
}

/// The position of the app, or the problem that there is none.
pub(crate) fn position(snapshot: &Snapshot, slug: &str) -> Result<u32, Problem> {
    snapshot.find(slug).ok_or_else(|| Problem::UnknownSlug(slug.to_owned()))
}
