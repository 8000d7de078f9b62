//! `GET /apps/jamf-index`: which apps carry a management-installer title code.

use crate::snapshot::Resource;

/// Get the title-code index
///
/// Maps a management-installer title code to the slugs that carry it, for exact matching
/// before any fuzzy matching.
#[utoipa::path(
    get,
    path = "/apps/jamf-index",
    operation_id = "get_jamf_index",
    tag = "apps",
    responses(
        (status = 200, description = "Title code to slugs", body = std::collections::BTreeMap<String, Vec<String>>, headers(("etag" = String, description = "The catalog's token"))),
        (status = 304, description = "The client's copy is current"),
    )
)]
pub(crate) fn find() -> Resource {
    Resource::TitleCodes
}
