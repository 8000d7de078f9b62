//! `GET /metrics`: counters and timings for a monitoring system.

use appstitch_hooks::Hooks;

use crate::{
    message::{EndpointResult, FixedField, ReadContext, ReadRequest, Representation, fixed_field},
    metrics::Gauges,
    route::{Export, Route},
};

/// The route of this endpoint. It is the operator's, and not in the OpenAPI document.
pub(crate) const ROUTE: Route =
    Route::get("/metrics", read, Export::LiveOnly("they are about a live server"));

const PROMETHEUS: &FixedField =
    fixed_field!("content-type", "text/plain; version=0.0.4; charset=utf-8");

#[expect(clippy::unnecessary_wraps, reason = "every endpoint has this shape")]
fn read(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    let parts = context.parts;
    let text = parts.metrics.render(&Gauges {
        snapshot: context.snapshot,
        memory: &parts.memory,
        uploads: &parts.uploads,
        store_answers: parts.publisher.store_lost_at().is_none(),
        store_losses: parts.publisher.store_losses().count,
        sources: &parts.publisher.source_status(),
        hooks: parts.hooks.as_ref().map(Hooks::counters),
        refresh: parts.refresh.as_ref().map(|status| status.now()),
    });
    Ok(Representation::Made(PROMETHEUS, text.into()))
}
