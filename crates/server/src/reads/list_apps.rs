//! `GET /apps`: apps in slug order, filtered and paged.

use appstitch_snapshot::Resource;
use appstitch_types::{App, HttpValidationError};

use super::paging::PageRequest;
use crate::{
    message::{EndpointResult, PageWindow, ReadContext, ReadRequest, Representation},
    route::{Export, Exported, Route},
};

pub(crate) const ROUTE: Route =
    Route::get("/apps", read, Export::Each(Exported::AppPages, "apps/@pages/{}.json"))
        .catalog()
        .documented::<__path_read>();

/// Up to this many slugs are looked up at once.
const FEW_SLUGS: usize = 100;

/// List apps
///
/// Returns apps ordered by slug. Filters apply before paging, so `limit` is the size of the page
/// after filtering. The `x-total-count` header is the number of matching apps; the `link` header
/// has the first, previous, next and last page. An empty filter matches nothing, and so does an
/// unknown source or value; an unknown install method is invalid.
#[utoipa::path(
    get,
    path = ROUTE.path,
    operation_id = "list_apps",
    tag = "apps",
    params(
        ("vendor" = Option<String>, Query, description = "Filter by vendor (case-insensitive)", example = "Mozilla"),
        ("source" = Option<String>, Query, description = "Only apps with this source: `label_tool`, `cask_catalog`, `recipe_index`, `mdm_installer`, or `store_listing`, which the `sources` of an app do not list", example = "label_tool"),
        ("exclude_source" = Option<String>, Query, description = "Only apps without this source", example = "mdm_installer"),
        ("deprecated" = Option<bool>, Query, description = "Only apps that the cask catalog has deprecated or disabled, or only others", example = false),
        ("bundle_id" = Option<String>, Query, description = "Only apps with this bundle identifier (case-insensitive)", example = "org.mozilla.firefox"),
        ("team_id" = Option<String>, Query, description = "Only apps that are signed with this Team ID (case-insensitive)", example = "43AQ936H96"),
        ("install_method" = Option<String>, Query, description = "Only apps with this install method: `dmg`, `pkg`, `zip`, `tbz`, `pkgInDmg`, `pkgInZip` or `appInDmgInZip`", example = "pkg"),
        ("slugs" = Option<String>, Query, description = "Only apps with these slugs, separated by commas, up to 500; unknown slugs are omitted", example = "firefoxpkg,slack"),
        ("limit" = inline(Option<super::paging::Limit>), Query, description = "Maximum number of apps to return", example = 100),
        ("offset" = inline(Option<super::paging::Offset>), Query, description = "Number of matching apps to skip", example = 0),
    ),
    responses(
        (status = 200, description = "A page of apps", body = Vec<App>, headers(
            ("etag" = String, description = "The catalog's token"),
            ("link" = String, description = "RFC 8288 links: first, prev, next, last"),
            ("x-total-count" = u64, description = "Number of matching apps"),
        )),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
pub(crate) fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let (PageRequest { filter, limit, offset }, slugs) = PageRequest::of_apps(request.query)?;
    Ok(match slugs {
        Some(slugs) => {
            let slugs: Vec<&str> = slugs.iter().collect();
            if slugs.len() > FEW_SLUGS {
                context.begin_work()?;
            }
            let (body, total) = context.snapshot.picked_apps(&slugs, &filter, limit, offset);
            Representation::Page(body, PageWindow { limit, offset, total })
        }
        None => Resource::Apps(context.snapshot.app_page(&filter, limit, offset)).into(),
    })
}
