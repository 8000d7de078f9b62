//! The route table. It reads as the interface; what each route does is in its own file.

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    extract::{DefaultBodyLimit, Extension, Request, State},
    http::{HeaderValue, Response, StatusCode, header},
    response::IntoResponse,
    routing::{any, get, post, put},
};

use super::{
    Problem, Route,
    answer::{Asked, ready, respond},
    body::let_it_finish,
    docs, find_resource, generate_label, health,
    negotiate::prefers,
    openapi,
    problem::json,
    stats,
};
use crate::{admin, service::Service, snapshot::Snapshot};

/// The snapshot a request was given when it came in.
pub(crate) type Current = Extension<Arc<Snapshot>>;

/// Everything the service answers, without the shortcut for ready reads.
pub(crate) fn router(service: Arc<Service>) -> Router {
    let tools = service.tools().clone();
    let admin = Router::new()
        .route(Route::AdminRecords.pattern(), put(admin::replace_records))
        .route(Route::AdminRecord.pattern(), put(admin::put_record).delete(admin::delete_record))
        .route(Route::AdminSources.pattern(), put(admin::put_sources))
        .route(Route::AdminSource.pattern(), put(admin::put_source))
        .route(Route::AdminUnresolved.pattern(), get(admin::unresolved_labels))
        .route(Route::AdminResolved.pattern(), post(admin::resolved_labels))
        // Uploads have limits of their own.
        .layer(DefaultBodyLimit::disable());
    Router::new()
        .route(Route::ListApps.pattern(), get(read))
        .route(Route::ListDrift.pattern(), get(read))
        .route(Route::TitleCodes.pattern(), get(read))
        .route(Route::GetApp.pattern(), get(read))
        .route(Route::AppSources.pattern(), get(read))
        .route(Route::AppDrift.pattern(), get(read))
        .route(Route::AppProvenance.pattern(), get(read))
        .route(Route::GenerateLabel.pattern(), post(label))
        .route(Route::Stats.pattern(), get(|current: Current| async move { stats::show(&current) }))
        .route(
            Route::Health.pattern(),
            get(|current: Current| async move { health::show(&current) }),
        )
        .route(Route::Metrics.pattern(), get(metrics))
        .route(Route::OpenApi.pattern(), get(document))
        .route(Route::Docs.pattern(), get(async || docs::page()))
        .route(Route::DocsFile.pattern(), get(docs_file))
        .route(Route::Redoc.pattern(), get(async || docs::reference()))
        .route(Route::Tools.pattern(), any(move |request: Request| tools.answer(request)))
        .merge(admin)
        .method_not_allowed_fallback(async || Problem::MethodNotAllowed)
        .fallback(unknown)
        .with_state(service)
}

async fn read(Extension(snapshot): Current, request: Request) -> Response<Body> {
    let (path, query) = (request.uri().path(), request.uri().query());
    match find_resource(&snapshot, &Route::of(path), query) {
        Ok(resource) => {
            let asked = Asked { path, query, fields: request.headers() };
            let ready = ready(&snapshot, resource, &asked).await;
            respond(&snapshot, resource, &asked, ready).map(Body::new)
        }
        Err(problem) => problem.into_response(),
    }
}

/// The media type of a label as shell text.
const SHELL_SCRIPT: &str = "text/x-shellscript";

async fn label(Extension(snapshot): Current, request: Request) -> Response<Body> {
    let (parts, mut body) = request.into_parts();
    let_it_finish(&mut body).await;
    let found = Route::of(parts.uri.path());
    let slug = found.slug();
    let answer = if prefers(&parts.headers, SHELL_SCRIPT, "application/json") {
        generate_label::fragment(&snapshot, &slug).map(|text| {
            let kind = HeaderValue::from_static("text/x-shellscript; charset=utf-8");
            ([(header::CONTENT_TYPE, kind)], text).into_response()
        })
    } else {
        generate_label::generate(&snapshot, &slug).map(|label| json(StatusCode::OK, &label))
    };
    let mut response = answer.unwrap_or_else(IntoResponse::into_response);
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    response
}

async fn docs_file(request: Request) -> Result<Response<Body>, Problem> {
    docs::page_file(&Route::of(request.uri().path()).slug())
}

async fn document() -> Response<Body> {
    let mut response = Response::new(Body::from(openapi::body()));
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

async fn metrics(State(service): State<Arc<Service>>, current: Current) -> Response<Body> {
    let mut response = Response::new(Body::from(service.metrics().render(&current)));
    let text = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, text);
    response
}

/// A path with a slash too many leads to the one without; anything else is not there.
async fn unknown(request: Request) -> Response<Body> {
    let uri = request.uri();
    let trimmed = uri.path().trim_end_matches('/');
    if trimmed == uri.path() || Route::of(trimmed).route == Route::Unknown {
        return Problem::NotFound.into_response();
    }
    let target = match uri.query() {
        Some(query) => format!("{trimmed}?{query}"),
        None => trimmed.to_owned(),
    };
    match HeaderValue::try_from(target) {
        Ok(location) => {
            (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, location)]).into_response()
        }
        Err(_) => Problem::NotFound.into_response(),
    }
}
