//! `GET /versions/compare`: the order of two versions.

use appstitch_types::{HttpValidationError, VersionComparison};
use appstitch_versions::compare_versions;

use crate::{
    http_error::HttpError,
    message::{EndpointResult, JSON, ReadContext, ReadRequest, Representation, fixed_field},
    query::{Faults, parameters, read_text},
    route::{Export, Route},
};

pub(crate) const ROUTE: Route = Route::get(
    "/versions/compare",
    read,
    Export::LiveOnly("every pair of versions has another response"),
)
.documented::<__path_read>();

parameters! { VersionsQuery { a, b } }

/// Compare two versions
///
/// Returns whether `a` is older than `b`, newer, or the same release, by the rules that find drift
/// and outdated apps. Versions that are written differently can mean the same release: `rule` then
/// says why. The order is `unknown` if a version cannot be ordered, such as a date or a commit.
///
/// A plus sign in a version must be encoded as `%2B`.
#[utoipa::path(
    get,
    path = ROUTE.path,
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
fn read(_: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let query = VersionsQuery::read(request.query);
    let longest = VersionComparison::LONGEST;
    let mut faults = Faults::default();
    let a = faults.check(read_text("a", query.a.as_deref(), longest));
    let b = faults.check(read_text("b", query.b.as_deref(), longest));
    faults.none()?;
    let body = serde_json::to_vec(&compare_versions(a, b)).map_err(|_| HttpError::Internal)?;
    Ok(Representation::Body {
        content_type: JSON,
        // The rules change with the program only.
        about: Some(fixed_field!("cache-control", "public, max-age=3600")),
        body: body.into(),
    })
}
