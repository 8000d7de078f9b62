//! `GET /health`: whether the service is up, and what it serves.

use appstitch_refresh::{LastRefresh, ScheduleState};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    message::{EndpointResult, JSON, ReadContext, ReadRequest, Representation, fixed_field},
    route::{Export, Route},
};

pub(crate) const ROUTE: Route =
    Route::get("/health", read, Export::LiveOnly("it is about a live server"))
        .documented::<__path_read>();

/// Check the service's health
#[utoipa::path(
    get,
    path = ROUTE.path,
    operation_id = "health",
    tag = "service",
    responses((status = 200, description = "Status, version, revision, number of apps, whether the files of the catalog are signed and by which keys, the origin of a mirror, state of the store, number of webhooks by state if there are any, and the state of scheduled refreshes if there are any. `refresh_sources` has an object for each source; counts are numbers; `signed` is true or false; everything else is a string", body = std::collections::BTreeMap<String, Value>, example = json!({"status": "ok", "version": "0.1.0", "revision": "20261115T200000Z-0123456789ab", "apps": 5257, "signed": false, "store": "ok"})))
)]
#[expect(clippy::unnecessary_wraps, reason = "every endpoint has this shape")]
fn read(context: &ReadContext<'_>, _: &ReadRequest<'_>) -> EndpointResult {
    let snapshot = context.snapshot;
    let mut health = json!({
        "status": "ok",
        "version": env!("CARGO_PKG_VERSION"),
        "revision": snapshot.token(),
        "apps": snapshot.stats().total_apps,
    });
    let keys = context.parts.catalog_keys();
    health["signed"] = (!keys.is_empty()).into();
    for (name, key) in ["signing_key", "next_signing_key"].into_iter().zip(keys) {
        health[name] = key.id().into();
    }
    if let Some(received) = context.parts.publisher.received() {
        health["mirror"] = received.origin.as_deref().unwrap_or("folder").into();
    }
    health["store"] = "ok".into();
    if let Some(time) = context.parts.publisher.store_lost_at() {
        health["store"] = "unavailable".into();
        health["store_unavailable_since"] = time.to_string().into();
    }
    if let Some(time) = context.parts.publisher.store_losses().last_at {
        health["store_lost_writes_at"] = seconds(time).into();
    }
    let hooks = context.parts.hooks.as_ref().map(|hooks| hooks.counters().hooks());
    for (state, count) in hooks.into_iter().flatten().filter(|(_, count)| *count > 0) {
        health[format!("hooks_{state}")] = count.into();
    }
    if let Some(status) = &context.parts.refresh {
        tell_refresh(&mut health, &status.now());
    }
    Ok(Representation::Body {
        content_type: JSON,
        about: Some(fixed_field!("cache-control", "no-store")),
        body: health.to_string().into(),
    })
}

fn tell_refresh(health: &mut Value, state: &ScheduleState) {
    health["refresh"] = state.phase.word().into();
    if let Some(next) = state.next_at {
        health["refresh_next_at"] = seconds(next).into();
    }
    for refresh in &state.sources {
        let mut told = json!({
            "tried_at": seconds(refresh.tried_at),
            "next_at": seconds(refresh.next_at),
        });
        if let Some(time) = refresh.succeeded_at {
            told["succeeded_at"] = seconds(time).into();
        }
        if let Some(why) = &refresh.why {
            told["problem"] = why.as_str().into();
        }
        if let Some(rejected) = refresh.rejected {
            told["rejected"] = rejected.into();
        }
        health["refresh_sources"][&refresh.source] = told;
    }
    let Some(LastRefresh { ended_at, result, why }) = &state.last else { return };
    health["refresh_last_at"] = seconds(*ended_at).into();
    health["refresh_last_result"] = result.word().into();
    if let Some(why) = why {
        health["refresh_problem"] = why.as_str().into();
    }
}

fn seconds(time: Timestamp) -> String {
    Timestamp::from_second(time.as_second()).unwrap_or(time).to_string()
}
