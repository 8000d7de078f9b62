//! The requests to both servers.

use crate::bench::http::Request;

/// A request, and the file name of its body for nginx.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) file: &'static str,
    pub(super) request: Request,
}

/// All reads except the 304, which needs the entity tag of a response.
pub(super) fn cases(slug: &str, vendor: &str) -> Vec<Case> {
    let case = |name, file, path: &str| Case { name, file, request: Request::get(path) };
    vec![
        case(ONE_RECORD, "app", &format!("/apps/{slug}")),
        case("its sources", "sources", &format!("/apps/{slug}/sources")),
        case(PAGE_OF_100, "page100", "/apps"),
        case("a page of 1000", "page1000", "/apps?limit=1000"),
        case("a vendor's apps", "vendor", &by_vendor(vendor)),
        case("a page of one source", "source", BY_SOURCE),
        case("a page of drift", "drift", "/apps/drift"),
        case("the patch titles", "titles", "/jamf/v1/software"),
    ]
}

pub(super) const ONE_RECORD: &str = "one record";
pub(super) const PAGE_OF_100: &str = "a page of 100";

pub(super) const BY_SOURCE: &str = "/apps?source=label_tool";
pub(super) fn by_vendor(vendor: &str) -> String {
    format!("/apps?vendor={vendor}")
}
