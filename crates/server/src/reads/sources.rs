//! `GET /sources`: what each source contributes, and how recent it is.

use appstitch_types::SourceStatusResponse;

use crate::{
    message::{EndpointResult, JSON, ReadContext, ReadRequest, Representation, fixed_field},
    route::{Export, Route},
};

pub(crate) const ROUTE: Route =
    Route::get("/sources", read, Export::Path("sources.json")).documented::<__path_read>();

/// Get the state of the sources
///
/// Returns how many entries each source has, how many apps it contributes to, and when it was last
/// received and last changed. A source can be received without a change; then the catalog and its
/// `ETag` stay the same. Data of the built-in sample was never received.
#[utoipa::path(
    get,
    path = ROUTE.path,
    operation_id = "get_source_status",
    tag = "service",
    responses((
        status = 200,
        description = "The sources, always in the same order",
        body = SourceStatusResponse,
        example = json!({"sources": [
            {"source": "label_tool", "documents": 1184, "apps": 1184, "received_at": "2026-11-15T20:00:00Z", "changed_at": "2026-11-15T08:00:00Z", "rejected": 0},
            {"source": "cask_catalog", "documents": 7702, "apps": 4835, "received_at": "2026-11-15T20:00:00Z", "changed_at": "2026-11-15T20:00:00Z", "rejected": 0},
            {"source": "recipe_index", "documents": 15979, "apps": 1989, "received_at": "2026-11-15T20:00:00Z", "changed_at": "2026-11-14T20:00:00Z", "rejected": 2},
            {"source": "store_listing", "documents": 0, "apps": 0, "received_at": null, "changed_at": null, "rejected": null},
            {"source": "mdm_installer", "documents": 726, "apps": 391, "received_at": "2026-11-15T20:00:00Z", "changed_at": "2026-11-13T20:00:00Z", "rejected": 0},
        ]})
    ))
)]
#[expect(clippy::unnecessary_wraps, reason = "every endpoint has this shape")]
fn read(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    Ok(Representation::Body {
        content_type: JSON,
        about: Some(fixed_field!("cache-control", "no-cache")),
        body: context.parts.publisher.source_status(),
    })
}
