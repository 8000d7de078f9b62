//! The service as the wire asks it.

use std::{convert::Infallible, sync::Arc};

use appstitch_snapshot::Snapshot;
use appstitch_wire::{
    Answer, Answering, Asked, Attempt, Endpoints, LibraryBody, Policy, Read, Refusal, RequestId,
    Verb, add_policy,
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
    message::{HeaderField, is_public_path, policy_of},
    reads::{ReadOutcome, failure},
    route::{Handler, RouteMatch},
    routes::ROUTES,
    service::Service,
    split::split_first,
};

/// The reads of a service, and the router for everything else.
pub(crate) struct ServiceEndpoints {
    service: Arc<Service>,
    router: Router,
}

impl ServiceEndpoints {
    pub(crate) fn new(service: Arc<Service>) -> Self {
        let routed = ROUTES.iter().filter_map(|route| match route.handler {
            Handler::Library(router) | Handler::Form(_, router) => Some((route.pattern, router())),
            Handler::Get(_) | Handler::Post(_) | Handler::Negotiated { .. } | Handler::Moved => {
                None
            }
        });
        let router = routed
            .fold(Router::new(), |router, (pattern, methods)| router.route(pattern, methods))
            .method_not_allowed_fallback(async || HttpError::MethodNotAllowed)
            // Uploads and tools have limits of their own.
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
        if matched.needs_library(Verb::Get, path) {
            return match Request::get(address).body(Body::empty()) {
                Ok(request) => self.routed(path, request).await.map(LibraryBody::Routed),
                Err(_) => appstitch_wire::response(refusal(HttpError::NotFound, path)).await,
            };
        }
        let asked = Asked {
            verb: Verb::Get,
            path,
            query,
            if_none_match: HeaderField::default(),
            accept: HeaderField::of([accept.as_bytes()]),
            accept_encoding: HeaderField::default(),
            request_id: RequestId::Own(b"local".into()),
            started: tokio::time::Instant::now(),
            client: None,
        };
        let attempt = Attempt { caught_up: Some(false), ..Attempt::ON_WORKER };
        let answer = match self.read_from(snapshot, &matched, &asked, attempt) {
            Read::Ready(answer) => answer,
            Read::Later(answering) => answering.await,
            Read::OnDemand | Read::Behind | Read::Routed => refusal(HttpError::Internal, path),
        };
        appstitch_wire::response(answer).await
    }

    #[inline]
    fn read_from(
        &self,
        snapshot: &Snapshot,
        matched: &RouteMatch<'_>,
        asked: &Asked<'_>,
        attempt: Attempt,
    ) -> Read {
        let number = matched.number;
        match self.service.read(snapshot, matched, asked, attempt.is_on_worker) {
            ReadOutcome::Ready(mut answer) => {
                answer.route = number;
                Read::Ready(answer)
            }
            ReadOutcome::Compress(compression) => Read::Later(Box::pin(async move {
                Answer { route: number, ..compression.finish().await }
            })),
            ReadOutcome::OnDemand => Read::OnDemand,
            ReadOutcome::Ahead(error) => {
                let error = match attempt.caught_up {
                    None => return Read::Behind,
                    Some(true) => HttpError::Since(error),
                    Some(false) => HttpError::NotYet,
                };
                let policy = policy_of(asked.verb, asked.path, snapshot.etag());
                Read::Ready(Answer { route: number, ..failure(error, matched.route, policy) })
            }
        }
    }

    async fn routed(&self, path: &str, request: Request<Body>) -> Response<Body> {
        let answer = self.router.clone().oneshot(request);
        // An upload and a tool call have their own time limits.
        if !is_public_path(path) {
            return unwrap_infallible(answer.await);
        }
        let mut response =
            match tokio::time::timeout(self.service.limits().request_time, answer).await {
                Ok(answer) => unwrap_infallible(answer),
                Err(_) => HttpError::TookTooLong.into_response(),
            };
        add_policy(response.headers_mut(), &Policy::Public);
        response
    }
}

impl Endpoints for ServiceEndpoints {
    fn read(&self, asked: &Asked<'_>, attempt: Attempt) -> Read {
        let matched = self.service.route(asked.path);
        if matched.needs_library(asked.verb, asked.path) {
            return Read::Routed;
        }
        // A client that takes its time must not hold on to a whole revision: the snapshot is held
        // until the answer is found, and the payload holds its own part.
        let snapshot = self.service.snapshot();
        self.read_from(&snapshot, &matched, asked, attempt)
    }

    fn is_read(&self, verb: Verb, path: &str) -> bool {
        !self.service.route(path).needs_library(verb, path)
    }

    fn route<'a>(
        &'a self,
        request: Request<Body>,
        id: &'a RequestId<'_>,
    ) -> Answering<'a, Response<Body>> {
        let path = request.uri().path().to_owned();
        let span = tracing::info_span!("request", id = id.as_str());
        Box::pin(async move { self.routed(&path, request).await }.instrument(span))
    }

    fn catch_up(&self) -> Answering<'_, bool> {
        Box::pin(self.service.catch_up())
    }

    fn refusal(&self, refused: Refusal, path: &str) -> Answer {
        let error = match refused {
            Refusal::Host => HttpError::HostField,
            Refusal::NoRoom => HttpError::NoRoom,
            Refusal::ShareUsed => HttpError::ShareUsed,
            Refusal::Busy => HttpError::Busy,
            Refusal::Failed => HttpError::Internal,
        };
        Answer { route: self.service.route(path).number, ..refusal(error, path) }
    }

    fn note(&self, asked: &Asked<'_>, answer: &Answer) {
        self.service.note(asked, asked.verb.name(), answer.route, answer.status);
    }

    fn note_routed(&self, asked: &Asked<'_>, method: &str, status: StatusCode) {
        self.service.note(asked, method, self.service.route(asked.path).number, status);
    }
}

/// The answer to a request that is not looked at any further.
fn refusal(error: HttpError, path: &str) -> Answer {
    failure(error, None, policy_of(Verb::Other, path, ""))
}

fn unwrap_infallible<T>(result: Result<T, Infallible>) -> T {
    match result {
        Ok(value) => value,
        Err(never) => match never {},
    }
}
