//! `/admin/hooks`: webhooks.

use std::sync::Arc;

use appstitch_hooks::{HookSettings, HookStatus, Hooks};
use appstitch_wire::request_body::{self, BodyLimits, Pace};
use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, Response, StatusCode, Uri, header},
    response::IntoResponse,
    routing::{get as get_method, post as post_method},
};
use serde::Serialize;
use serde_json::json;

use super::{access, hook_rejection::HookRejection};
use crate::{
    message::decode_segment, parts::ServiceParts, query::Parameters, response::json_of,
    route::Route,
};

/// Why the routes of webhooks are not exported.
const HOOKS: &str = "webhooks need a live server";

pub(crate) const HOOKS_ROUTE: Route = Route::private("/admin/hooks", || get_method(list), HOOKS);
pub(crate) const HOOK_ROUTE: Route =
    Route::private("/admin/hooks/{id}", || get_method(get).put(put).delete(remove), HOOKS);
pub(crate) const TEST_ROUTE: Route =
    Route::private("/admin/hooks/{id}/test", || post_method(test), HOOKS);
pub(crate) const DELIVERIES_ROUTE: Route =
    Route::private("/admin/hooks/{id}/deliveries", || get_method(deliveries), HOOKS);
pub(crate) const REPLAY_ROUTE: Route =
    Route::private("/admin/hooks/{id}/replay", || post_method(replay), HOOKS);
pub(crate) const ENABLE_ROUTE: Route =
    Route::private("/admin/hooks/{id}/enable", || post_method(enable), HOOKS);

/// The most bytes of a hook's settings: all lists of a filter, full.
const SETTINGS_BYTES: usize = 1 << 20;

type Parts = State<Arc<ServiceParts>>;
type HookResult = Result<Response<Body>, HookRejection>;

/// `GET /admin/hooks`: all hooks.
async fn list(State(service): Parts, headers: HeaderMap) -> Response<Body> {
    let listed = async || Ok(shown(&allowed(&service, &headers)?.list().await?));
    answer(&service, listed().await)
}

/// `GET /admin/hooks/{id}`: one hook.
async fn get(State(service): Parts, uri: Uri, headers: HeaderMap) -> Response<Body> {
    let found = async || Ok(shown(&allowed(&service, &headers)?.get(&id(&uri)).await?));
    answer(&service, found().await)
}

/// `PUT /admin/hooks/{id}`: creates or replaces a hook.
async fn put(State(service): Parts, request: Request) -> Response<Body> {
    let written = write(&service, request).await;
    answer(&service, written)
}

/// A hook that was written. A generated secret is shown only here.
#[derive(Serialize)]
struct Written {
    #[serde(flatten)]
    hook: HookStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

async fn write(service: &ServiceParts, request: Request) -> HookResult {
    let (parts, mut body) = request.into_parts();
    let (id, headers) = (id(&parts.uri), parts.headers);
    let expects_continue = headers.contains_key(header::EXPECT);
    let hooks = match allowed(service, &headers) {
        Ok(hooks) => hooks,
        Err(rejection) => {
            request_body::reject(&mut body, expects_continue).await;
            return Err(rejection);
        }
    };
    let limits = BodyLimits {
        bytes: SETTINGS_BYTES,
        pace: Pace {
            grace: service.limits.body_grace,
            bytes_per_second: service.limits.body_rate,
            total: service.limits.tool_body_time,
        },
        memory: &service.memory.uploads,
        small: None,
    };
    let body = request_body::receive(&mut body, expects_continue, limits).await?;
    let settings = HookSettings::read(&body.bytes).map_err(HookRejection::Unreadable)?;
    let written = hooks.put(&id, settings).await?;
    let status = if written.is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok(json_of(status, &Written { hook: written.status, secret: written.secret }))
}

/// `DELETE /admin/hooks/{id}`: removes a hook.
async fn remove(State(service): Parts, uri: Uri, headers: HeaderMap) -> Response<Body> {
    let removed = async || {
        allowed(&service, &headers)?.remove(&id(&uri)).await?;
        Ok(StatusCode::NO_CONTENT.into_response())
    };
    answer(&service, removed().await)
}

/// `POST /admin/hooks/{id}/test`: sends a test message and returns its result.
async fn test(State(service): Parts, uri: Uri, headers: HeaderMap) -> Response<Body> {
    let tested = async || Ok(shown(&allowed(&service, &headers)?.test(&id(&uri)).await?));
    answer(&service, tested().await)
}

/// `GET /admin/hooks/{id}/deliveries`: the last deliveries, newest first.
async fn deliveries(State(service): Parts, uri: Uri, headers: HeaderMap) -> Response<Body> {
    let listed = async || {
        let deliveries = allowed(&service, &headers)?.deliveries(&id(&uri)).await?;
        Ok(shown(&json!({ "deliveries": deliveries })))
    };
    answer(&service, listed().await)
}

/// `POST /admin/hooks/{id}/replay?since=`: sends everything after a position again.
async fn replay(State(service): Parts, uri: Uri, headers: HeaderMap) -> Response<Body> {
    let replayed = async || {
        let hooks = allowed(&service, &headers)?;
        let mut parameters = Parameters::of(uri.query());
        let (_, since) = parameters.find(|(name, _)| name == "since").ok_or_else(|| {
            HookRejection::Unreadable("the parameter 'since' is required".to_owned())
        })?;
        Ok(shown(&hooks.replay(&id(&uri), &since).await?))
    };
    answer(&service, replayed().await)
}

/// `POST /admin/hooks/{id}/enable`: enables a disabled hook.
async fn enable(State(service): Parts, uri: Uri, headers: HeaderMap) -> Response<Body> {
    let enabled = async || Ok(shown(&allowed(&service, &headers)?.enable(&id(&uri)).await?));
    answer(&service, enabled().await)
}

/// The hooks, if the request may see them.
fn allowed<'a>(service: &'a ServiceParts, headers: &HeaderMap) -> Result<&'a Hooks, HookRejection> {
    access::check(service, headers)?;
    service.hooks.as_ref().ok_or(HookRejection::Off)
}

/// The segment after `/admin/hooks/`.
fn id(uri: &Uri) -> String {
    let segment = uri.path().split('/').nth(3).unwrap_or_default();
    decode_segment(segment).into_owned()
}

fn shown(value: &impl Serialize) -> Response<Body> {
    json_of(StatusCode::OK, value)
}

fn answer(service: &ServiceParts, result: HookResult) -> Response<Body> {
    result.unwrap_or_else(|rejection| rejection.answer(service))
}
