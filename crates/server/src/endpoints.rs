//! The service as the wire asks it.

use std::{convert::Infallible, sync::Arc};

use appstitch_snapshot::Snapshot;
use appstitch_wire::{
    Attempt, BoxFuture, Endpoints, LibraryBody, Policy, Read, ReadRequest, ReadResponse, Rejection,
    RequestId, Verb, add_policy,
};
use axum::{
    Router,
    body::Body,
    extract::DefaultBodyLimit,
    http::{Request, Response, StatusCode},
    response::IntoResponse,
};
use tower::ServiceExt;
use tracing::Instrument;

use crate::{
    http_error::HttpError,
    message::HeaderField,
    query::split_first,
    reads::{ReadResult, failure},
    route::{Handler, RouteMatch},
    routes::ROUTES,
    service::Service,
};

/// The reads of a service, and the router for everything else.
pub(crate) struct ServiceEndpoints {
    service: Arc<Service>,
    router: Router,
}

impl ServiceEndpoints {
    pub(crate) fn new(service: Arc<Service>) -> Self {
        let routed = ROUTES.iter().filter_map(|route| match route.handler {
            Handler::Library(router) | Handler::Form(_, router) => Some((route.path, router())),
            Handler::Get(_) | Handler::Post(_) | Handler::Negotiated { .. } | Handler::Moved => {
                None
            }
        });
        let router = routed
            .fold(Router::new(), |router, (pattern, methods)| router.route(pattern, methods))
            .method_not_allowed_fallback(async || HttpError::MethodNotAllowed)
            // Uploads and tools have separate limits.
            .layer(DefaultBodyLimit::disable())
            .with_state(Arc::clone(service.parts()));
        Self { service, router }
    }

    pub(crate) fn service(&self) -> &Service {
        &self.service
    }

    /// Answers a GET of this process from one snapshot, not compressed.
    pub(crate) async fn get(
        &self,
        snapshot: &Snapshot,
        address: &str,
        accept: &str,
    ) -> Response<LibraryBody> {
        let (path, query) = split_first(address, b'?');
        let matched = self.service.route(path);
        if matched.needs_library(Verb::Get) {
            return match Request::get(address).body(Body::empty()) {
                Ok(request) => self.routed(&matched, request).await.map(LibraryBody::Routed),
                Err(_) => appstitch_wire::response(rejection(HttpError::NotFound, &matched)).await,
            };
        }
        let request = ReadRequest {
            verb: Verb::Get,
            path,
            query,
            if_none_match: HeaderField::default(),
            accept: HeaderField::of([accept.as_bytes()]),
            accept_encoding: HeaderField::default(),
            request_id: RequestId::Sent(b"local".into()),
            started: tokio::time::Instant::now(),
            client: None,
        };
        // Nothing comes from elsewhere.
        let attempt = Attempt { waited: Some(false), ..Attempt::ON_WORKER };
        let response = match self.read_from(snapshot, &matched, &request, attempt) {
            Read::Ready(response) => response,
            Read::Later(answering) => answering.await,
            Read::OnDemand | Read::After(_) | Read::Routed => {
                rejection(HttpError::Internal, &matched)
            }
        };
        appstitch_wire::response(response).await
    }

    #[inline]
    fn read_from(
        &self,
        snapshot: &Snapshot,
        matched: &RouteMatch<'_>,
        request: &ReadRequest<'_>,
        attempt: Attempt,
    ) -> Read {
        let number = matched.number;
        match self.service.read(snapshot, matched, request, attempt) {
            ReadResult::Ready(mut response) => {
                response.route = number;
                Read::Ready(response)
            }
            ReadResult::Compress(compression) => Read::Later(Box::pin(async move {
                ReadResponse { route: number, ..compression.finish().await }
            })),
            ReadResult::OnDemand => Read::OnDemand,
            ReadResult::Wait(wait) => Read::After(Box::pin(self.service.wait(wait))),
        }
    }

    async fn routed(&self, matched: &RouteMatch<'_>, request: Request<Body>) -> Response<Body> {
        let routed = self.router.clone().oneshot(request);
        // Uploads and tool calls have separate time limits.
        if !matched.is_public() {
            return unwrap_infallible(routed.await);
        }
        let mut response =
            match tokio::time::timeout(self.service.limits().request_time, routed).await {
                Ok(response) => unwrap_infallible(response),
                Err(_) => HttpError::TookTooLong.into_response(),
            };
        add_policy(response.headers_mut(), &Policy::Public);
        response
    }
}

impl Endpoints for ServiceEndpoints {
    fn read(&self, request: &ReadRequest<'_>, attempt: Attempt) -> Read {
        let matched = self.service.route(request.path);
        if matched.needs_library(request.verb) {
            return Read::Routed;
        }
        // A client that takes its time must not hold on to a whole revision: the snapshot is held
        // until the response is found, and the payload holds only its part.
        let snapshot = self.service.snapshot();
        self.read_from(&snapshot, &matched, request, attempt)
    }

    fn is_read(&self, verb: Verb, path: &str) -> bool {
        !self.service.route(path).needs_library(verb)
    }

    fn route<'a>(
        &'a self,
        request: Request<Body>,
        id: &'a RequestId<'_>,
    ) -> BoxFuture<'a, Response<Body>> {
        let path = request.uri().path().to_owned();
        let span = tracing::info_span!("request", id = id.as_str());
        let routed = async move { self.routed(&self.service.route(&path), request).await };
        Box::pin(routed.instrument(span))
    }

    fn rejection(&self, reason: Rejection, path: &str) -> ReadResponse {
        let error = match reason {
            Rejection::Host => HttpError::HostField,
            Rejection::NoRoom => HttpError::NoRoom,
            Rejection::ShareUsed => HttpError::ShareUsed,
            Rejection::Busy => HttpError::Busy,
            Rejection::Failed => HttpError::Internal,
        };
        let matched = self.service.route(path);
        ReadResponse { route: matched.number, ..rejection(error, &matched) }
    }

    fn note(&self, request: &ReadRequest<'_>, response: &ReadResponse) {
        self.service.note(request, request.verb.name(), response.route, response.status);
    }

    fn note_routed(&self, request: &ReadRequest<'_>, method: &str, status: StatusCode) {
        self.service.note(request, method, self.service.route(request.path).number, status);
    }
}

/// The answer to a request that is not looked at any further.
fn rejection(error: HttpError, matched: &RouteMatch<'_>) -> ReadResponse {
    failure(error, None, matched.policy(Verb::Other, ""))
}

fn unwrap_infallible<T>(result: Result<T, Infallible>) -> T {
    match result {
        Ok(value) => value,
        Err(never) => match never {},
    }
}
