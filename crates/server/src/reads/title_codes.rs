//! `GET /apps/jamf-index`: which apps carry a management-installer title code.

use appstitch_snapshot::Resource;

use crate::{
    message::{EndpointResult, ReadContext, ReadRequest},
    route::{Export, Route},
};

pub(crate) const ROUTE: Route =
    Route::get("/apps/jamf-index", read, Export::Path("apps/jamf-index/@index.json"))
        .catalog()
        .documented::<__path_read>();

/// Get the title-code index
///
/// Maps each Jamf title code to the slugs that have it, those of the patch catalog included if it was
/// uploaded. Use it for exact matching before any fuzzy matching.
#[utoipa::path(
    get,
    path = ROUTE.path,
    operation_id = "get_jamf_index",
    tag = "apps",
    responses(
        (status = 200, description = "Title code to slugs", body = std::collections::BTreeMap<String, Vec<String>>, headers(("etag" = String, description = "The catalog's token")), example = json!({"0B3": ["firefoxesrpkg", "firefoxesr_intl"], "5E3": ["microsoftteams"]})),
    )
)]
#[expect(clippy::unnecessary_wraps, reason = "every endpoint has this shape")]
fn read(_: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    Ok(Resource::TitleCodes.into())
}
