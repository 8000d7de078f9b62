//! `GET /apps/drift`: every app whose sources disagree on the newest version.

use appstitch_catalog::{DriftResponse, HttpValidationError};

use super::{Problem, paging::PageRequest};
use crate::snapshot::{Filter, Page, Resource, Snapshot};

/// List cross-source version drift
///
/// Apps with at least two versioned sources that disagree on the newest version.
/// `total_scanned` follows the vendor filter, `total_with_drift` both filters.
#[utoipa::path(
    get,
    path = "/apps/drift",
    operation_id = "list_drift",
    tag = "drift",
    params(
        ("vendor" = Option<String>, Query, description = "Case-insensitive exact vendor match"),
        ("source" = Option<String>, Query, description = "Drop entries in which this source (`label_tool` or `cask_catalog`) took no part"),
        ("limit" = inline(Option<super::openapi::Limit>), Query, description = "Page size"),
        ("offset" = inline(Option<super::openapi::Offset>), Query, description = "Entries to skip"),
    ),
    responses(
        (status = 200, description = "A page of drift", body = DriftResponse, headers(
            ("etag" = String, description = "The catalog's token"),
            ("link" = String, description = "RFC 8288 links: first, prev, next, last"),
            ("x-total-count" = u64, description = "How many entries match"),
        )),
        (status = 304, description = "The client's copy is current"),
        (status = 422, description = "Validation Error", body = HttpValidationError),
    )
)]
pub(crate) fn find(snapshot: &Snapshot, query: Option<&str>) -> Result<Resource, Problem> {
    PageRequest::read(query).map(|request| Resource::Drift(page(snapshot, &request)))
}

/// The page that a request asks for.
pub(crate) fn page(snapshot: &Snapshot, request: &PageRequest) -> Page {
    // This listing has no such parameter, and unknown parameters are ignored.
    let filter = Filter { exclude_source: None, ..request.filter.clone() };
    let selection = snapshot.drift().select(&filter);
    let total = snapshot.drift().count(selection);
    let scanned = snapshot.scanned(filter.vendor.as_deref());
    Page { scanned, ..request.page(selection, total) }
}
