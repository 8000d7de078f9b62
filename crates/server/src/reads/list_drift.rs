//! `GET /apps/drift`: every app whose sources disagree on the newest version.

use appstitch_snapshot::Resource;
use appstitch_types::{DriftResponse, HttpValidationError};

use super::paging::PageRequest;
use crate::{
    message::{EndpointResult, ReadContext, ReadRequest},
    route::{Export, Exported, Route},
};

pub(crate) const ROUTE: Route = Route::get(
    "/apps/drift",
    read,
    Export::Each(Exported::DriftPages, "apps/drift/@pages/{}.json"),
)
.catalog()
.documented::<__path_read>();

/// List cross-source version drift
///
/// Returns apps whose sources disagree on the newest version. At least two sources must state a
/// version. `total_scanned` counts the compared apps of the vendor filter; `total_with_drift` counts
/// the disagreements that match all filters. `include` adds sources to the comparison: the labels
/// and casks are always compared, the versions of Jamf titles and App Store listings on request.
#[utoipa::path(
    get,
    path = ROUTE.path,
    operation_id = "list_drift",
    tag = "drift",
    params(
        ("vendor" = Option<String>, Query, description = "Filter by vendor (case-insensitive)", example = "Mozilla"),
        ("source" = Option<String>, Query, description = "Only entries in which this source states a version: `label_tool`, `cask_catalog`, or `mdm_installer` if it is included", example = "label_tool"),
        ("include" = Option<String>, Query, description = "Further sources to compare, separated by commas: `mdm_installer`, `store_listing`", example = "mdm_installer,store_listing"),
        ("limit" = inline(Option<super::paging::Limit>), Query, description = "Maximum number of entries to return", example = 100),
        ("offset" = inline(Option<super::paging::Offset>), Query, description = "Number of matching entries to skip", example = 0),
    ),
    responses(
        (status = 200, description = "A page of drift", body = DriftResponse, headers(
            ("etag" = String, description = "The catalog's token"),
            ("link" = String, description = "RFC 8288 links: first, prev, next, last"),
            ("x-total-count" = u64, description = "Number of matching entries"),
        )),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let (PageRequest { filter, limit, offset }, scope) = PageRequest::of_drift(request.query)?;
    let page = context.snapshot.drift_page(scope, &filter, limit, offset);
    Ok(Resource::Drift(scope, page).into())
}
