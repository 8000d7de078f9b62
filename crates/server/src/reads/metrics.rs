//! `GET /metrics`: counters and timings for a monitoring system.

use appstitch_hooks::Hooks;

use crate::{
    http_error::HttpError,
    message::{Asked, FixedField, ReadContext, Reply, fixed_field},
    metrics::Gauges,
    route::Route,
};

/// The route of this endpoint. It is the operator's, and not in the OpenAPI document.
pub(crate) const ROUTE: Route = Route::get_undocumented("/metrics", read);

const PROMETHEUS: &FixedField =
    fixed_field!("content-type", "text/plain; version=0.0.4; charset=utf-8");

#[expect(clippy::unnecessary_wraps, reason = "every endpoint has this shape")]
fn read(context: &ReadContext<'_>, _: &Asked<'_>) -> Result<Reply, HttpError> {
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
    Ok(Reply::Made(PROMETHEUS, text.into()))
}
