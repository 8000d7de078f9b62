//! `GET /versions/compare`: the order of two versions.

use appstitch_catalog::{HttpValidationError, VersionComparison};

use super::query::{VersionPair, read_text};
use crate::{
    http_error::HttpError,
    message::{Asked, JSON, ReadContext, Reply, fixed_field},
    route::Route,
};

/// The route of this endpoint.
pub(crate) const ROUTE: Route = Route::get::<__path_read>("/versions/compare", read);

/// Compare two versions
///
/// Says whether `a` is older than `b`, newer, or the same release, by the rules that find drift and
/// outdated apps. Versions that are written differently can mean the same release: `rule` then says
/// why. The order is `unknown` if a version cannot be ordered, such as a date or a commit.
///
/// A plus sign in a version must be encoded as `%2B`.
#[utoipa::path(
    get,
    path = ROUTE.pattern,
    operation_id = "compare_versions",
    tag = "versions",
    params(
        ("a" = String, Query, description = "The first version", min_length = 1, max_length = 256, example = "5.7.3"),
        ("b" = String, Query, description = "The second version", min_length = 1, max_length = 256, example = "5.7.3,2320"),
    ),
    responses(
        (status = 200, description = "The order of the versions", body = VersionComparison),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn read(_: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    let pair = VersionPair::read(asked.query);
    let longest = VersionComparison::LONGEST;
    let (a, b) =
        (read_text("a", pair.a.as_deref(), longest), read_text("b", pair.b.as_deref(), longest));
    let (a, b) = match (a, b) {
        (Ok(a), Ok(b)) => (a, b),
        (a, b) => {
            let faults = [a.err(), b.err()].into_iter().flatten().map(|fault| *fault);
            return Err(HttpError::Invalid(faults.collect()));
        }
    };
    let body = serde_json::to_vec(&VersionComparison::of(a, b)).map_err(|_| HttpError::Internal)?;
    Ok(Reply::Body {
        content_type: JSON,
        // The rules change with the program only.
        about: Some(fixed_field!("cache-control", "public, max-age=3600")),
        body: body.into(),
    })
}
