//! What meets a request that the HTTP library has read.
//!
//! Whatever can be answered from the snapshot as it stands is answered here, without a router.
//! Everything else goes to the router, which answers the same reads the same way. Whatever comes
//! back gets the headers that every answer carries, and is counted. (Most reads never get here:
//! see [`crate::quick`].)

use std::{convert::Infallible, sync::Arc, time::Instant};

use axum::{
    Router,
    body::Body,
    http::{Method, Request, Response},
    response::IntoResponse,
};
use hyper::body::Incoming;
use tower::ServiceExt;
use tracing::Instrument;

use crate::{
    http::{
        Asked, FieldSink, Found, Problem, ReadyBody, Route, ServerBody, find_resource, finish,
        is_public_path, preflight, ready_now, respond, router,
    },
    request_id::{RequestId, X_REQUEST_ID},
    service::{Answered, Service},
    snapshot::Snapshot,
};

/// Answers requests.
pub(crate) struct Front {
    service: Arc<Service>,
    router: Router,
}

impl Front {
    pub(crate) fn new(service: Arc<Service>) -> Self {
        let router = router(Arc::clone(&service));
        Self { service, router }
    }

    pub(crate) fn service(&self) -> &Service {
        &self.service
    }

    /// Answers one request from one snapshot.
    pub(crate) async fn answer(
        &self,
        request: Request<Incoming>,
    ) -> Result<Response<ServerBody>, Infallible> {
        let started = Instant::now();
        let id = RequestId::of(request.headers());
        let uri = request.uri().clone();
        let method = request.method().clone();
        let found = Route::of(uri.path());
        let snapshot = self.service.publisher().current();
        let mut response = if let Some(ready) = shortcut(&snapshot, &found, &request) {
            ready.map(ServerBody::Ready)
        } else {
            let span = tracing::info_span!("request", id = id.as_str());
            let routed = self.route(Arc::clone(&snapshot), request).instrument(span);
            routed.await.map(ServerBody::Routed)
        };
        finish(&snapshot, &method, uri.path(), &mut response);
        response.headers_mut().add(X_REQUEST_ID, id.as_bytes());
        self.service.note(&Answered {
            method: method.as_str(),
            path: uri.path(),
            route: found.route,
            status: response.status(),
            started,
            id: &id,
        });
        Ok(response)
    }

    async fn route(&self, snapshot: Arc<Snapshot>, request: Request<Incoming>) -> Response<Body> {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(snapshot);
        let public = is_public_path(request.uri().path());
        let answer = self.router.clone().oneshot(request);
        // An upload has its own, longer time.
        if !public {
            return unwrap_infallible(answer.await);
        }
        match tokio::time::timeout(self.service.limits().request_time, answer).await {
            Ok(answer) => unwrap_infallible(answer),
            Err(_) => Problem::TookTooLong.into_response(),
        }
    }
}

fn unwrap_infallible<T>(result: Result<T, Infallible>) -> T {
    match result {
        Ok(value) => value,
        Err(never) => match never {},
    }
}

/// The answer to a read whose bytes are ready, or to a browser's question beforehand.
fn shortcut(
    snapshot: &Snapshot,
    found: &Found<'_>,
    request: &Request<Incoming>,
) -> Option<Response<ReadyBody>> {
    let uri = request.uri();
    match *request.method() {
        // The HTTP library leaves the body of an answer to HEAD out by itself.
        Method::GET | Method::HEAD => {
            let resource = find_resource(snapshot, found, uri.query()).ok()?;
            let asked = Asked { path: uri.path(), query: uri.query(), fields: request.headers() };
            let ready = ready_now(snapshot, resource, &asked)?;
            Some(respond(snapshot, resource, &asked, ready))
        }
        Method::OPTIONS if is_public_path(uri.path()) && found.route != Route::Unknown => {
            Some(preflight())
        }
        _ => None,
    }
}
