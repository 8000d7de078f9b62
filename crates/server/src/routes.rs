//! The route table. It reads as the interface; what each route does is in its own file.
//!
//! Everything that depends on the routes follows from here: dispatch on both wires, the HTTP
//! library's router, the methods of a path, the names in the metrics, the OpenAPI document.

use crate::{admin, docs, inventory, mcp, reads, route::Route};

/// Every route; the OpenAPI document lists them in this order.
pub(crate) static ROUTES: &[Route] = &[
    reads::list_apps::ROUTE,
    reads::list_drift::ROUTE,
    reads::title_codes::ROUTE,
    reads::get_app::ROUTE,
    reads::app_sources::ROUTE,
    reads::app_drift::ROUTE,
    reads::app_provenance::ROUTE,
    reads::app_details::ROUTE,
    reads::generate_label::ROUTE,
    reads::find_alias::ROUTE,
    inventory::ROUTE,
    reads::compare_versions::ROUTE,
    reads::stats::ROUTE,
    reads::sources::ROUTE,
    reads::health::ROUTE,
    reads::metrics::ROUTE,
    reads::openapi::ROUTE,
    docs::PAGE_ROUTE,
    docs::FILE_ROUTE,
    docs::REFERENCE_ROUTE,
    admin::RECORDS_ROUTE,
    admin::RECORD_ROUTE,
    admin::SOURCES_ROUTE,
    admin::SOURCE_ROUTE,
    admin::UNRESOLVED_ROUTE,
    admin::RESOLVED_ROUTE,
    mcp::ROUTE,
];
