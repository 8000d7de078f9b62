//! `GET /apps`: apps in slug order, filtered and paged.

use appstitch_catalog::{App, HttpValidationError};
use appstitch_snapshot::Resource;

use super::paging::PageRequest;
use crate::{
    http_error::HttpError,
    message::{Asked, ReadContext, Reply},
    route::Route,
};

/// The route of this endpoint.
pub(crate) const ROUTE: Route = Route::get::<__path_read>("/apps", read);

/// List apps
///
/// Returns apps ordered by slug. Filters apply before paging, so `limit` is the size of the page
/// after filtering. The `x-total-count` header is the number of matching apps; the `link` header
/// has the first, previous, next and last page.
#[utoipa::path(
    get,
    path = ROUTE.pattern,
    operation_id = "list_apps",
    tag = "apps",
    params(
        ("vendor" = Option<String>, Query, description = "Filter by vendor (case-insensitive)"),
        ("source" = Option<String>, Query, description = "Only apps with this source"),
        ("exclude_source" = Option<String>, Query, description = "Only apps without this source"),
        ("deprecated" = Option<bool>, Query, description = "Only apps that the cask catalog has deprecated or disabled, or only others"),
        ("limit" = inline(Option<super::paging::Limit>), Query, description = "Maximum number of apps to return"),
        ("offset" = inline(Option<super::paging::Offset>), Query, description = "Number of matching apps to skip"),
    ),
    responses(
        (status = 200, description = "A page of apps", body = Vec<App>, headers(
            ("etag" = String, description = "The catalog's token"),
            ("link" = String, description = "RFC 8288 links: first, prev, next, last"),
            ("x-total-count" = u64, description = "Number of matching apps"),
        )),
        (status = 304, description = "The client's copy is up to date"),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
fn read(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    let request = PageRequest::of_apps(asked.query)?;
    let page = context.snapshot.app_page(&request.filter, request.limit, request.offset);
    Ok(Resource::Apps(page).into())
}
