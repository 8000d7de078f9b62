//! Requests that the HTTP library has read: uploads, tools, documentation pages, and whatever is
//! unusual about its framing.
//!
//! A read that comes this way is answered by the same function as on the fast path. Everything
//! else goes to the router, which is built from the route table.

mod body;
mod print;
mod stall_guard;
mod tracked_body;

pub(crate) use body::LibraryBody;
pub(crate) use stall_guard::StallGuard;

use std::{convert::Infallible, sync::Arc, time::Instant};

use appstitch_snapshot::Snapshot;
use axum::{
    Router,
    body::Body,
    extract::DefaultBodyLimit,
    http::{HeaderMap, HeaderValue, Request, Response, Version, header},
    response::IntoResponse,
};
use hyper::body::Incoming;
use tower::ServiceExt;
use tracing::Instrument;

use crate::{
    client_address::ClientAddress,
    http_error::HttpError,
    message::{Asked, HeaderField, Policy, Verb, is_public_path},
    places::{Peer, Place},
    reads::{ReadOutcome, failure},
    request_body,
    request_id::RequestId,
    request_shares::{CountedRequest, RequestShares},
    response::drain,
    route::{Handler, RouteMatch},
    routes::ROUTES,
    service::{Answered, CaughtUp, Service},
    split::split_first,
};
use tracked_body::TrackedBody;

/// Answers requests of the HTTP library.
pub(crate) struct Library {
    service: Arc<Service>,
    router: Router,
    shares: RequestShares,
}

impl Library {
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
        let shares = RequestShares::new(service.limits().connections_per_client());
        Self { service, router, shares }
    }

    pub(crate) fn service(&self) -> &Service {
        &self.service
    }

    /// Answers one request of a connection.
    pub(crate) async fn answer(
        &self,
        place: &Place,
        request: Request<Incoming>,
    ) -> Result<Response<TrackedBody>, Infallible> {
        let has_room = place.begin();
        let mark = place.answer_mark();
        let mut response = if has_room {
            self.answer_counted(place, request).await
        } else {
            // The connection is about to be closed.
            refusal(HttpError::NoRoom, request.uri().path()).await
        };
        if place.is_reserved() || !has_room {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        Ok(response.map(|body| TrackedBody::new(body, mark)))
    }

    async fn answer_counted(
        &self,
        place: &Place,
        mut request: Request<Incoming>,
    ) -> Response<LibraryBody> {
        let started = Instant::now();
        let uri = request.uri().clone();
        let (path, method) = (uri.path(), request.method().clone());
        let verb = Verb::of(method.as_str());
        let client = self.client(place.peer(), request.headers());
        if let Some(client) = client {
            request.extensions_mut().insert(client);
        }
        let headers = request.headers();
        let id = RequestId::of(first(headers, "x-request-id")).into_owned();
        let matched = self.service.route(path);
        let counted = match (place.peer(), client) {
            (Peer::Proxy(_), Some(client)) => self.count_for_client(client, path),
            _ => Counted::Not,
        };
        let mut response = if !has_one_host(&request) {
            refusal(HttpError::HostField, path).await
        } else if let Counted::TooMany = counted {
            place.count_refusal();
            let expects_continue = headers.contains_key(header::EXPECT);
            let mut body = Body::new(request.into_body());
            request_body::reject(&mut body, expects_continue).await;
            refusal(HttpError::ShareUsed, path).await
        } else if matched.needs_library(verb, path) {
            let span = tracing::info_span!("request", id = id.as_str());
            let routed = self.route(path, request.map(Body::new)).instrument(span).await;
            routed.map(LibraryBody::Routed)
        } else {
            self.read(&matched, verb, &id, request).await
        };
        print::add_request_id(response.headers_mut(), &id);
        self.service.note(&Answered {
            method: method.as_str(),
            path,
            route: matched.number,
            status: response.status(),
            started,
            id: &id,
        });
        response
    }

    /// Whose request it is: a client that a trusted proxy names, or the proxy if it names none.
    fn client(&self, peer: Peer, headers: &HeaderMap) -> Option<ClientAddress> {
        match peer {
            Peer::Client(client) => Some(client),
            Peer::Proxy(proxy) => {
                let client = self.service.limits().trusted_proxies.client(headers);
                Some(client.map_or(proxy, ClientAddress::of))
            }
            Peer::Unknown => None,
        }
    }

    /// Counts a request that came through a trusted proxy. Administration is not limited.
    fn count_for_client(&self, client: ClientAddress, path: &str) -> Counted<'_> {
        if path.starts_with("/admin/") {
            return Counted::Not;
        }
        self.shares.count(client).map_or(Counted::TooMany, |counted| Counted::As { _in: counted })
    }

    async fn read(
        &self,
        matched: &RouteMatch<'_>,
        verb: Verb,
        id: &RequestId<'_>,
        request: Request<Incoming>,
    ) -> Response<LibraryBody> {
        let (parts, body) = request.into_parts();
        // No read has a use for a body; one that is sent is read to its end first.
        drain(&mut Body::new(body)).await;
        let asked = Asked {
            verb,
            path: parts.uri.path(),
            query: parts.uri.query(),
            if_none_match: field(&parts.headers, header::IF_NONE_MATCH.as_str()),
            accept: field(&parts.headers, header::ACCEPT.as_str()),
            accept_encoding: field(&parts.headers, header::ACCEPT_ENCODING.as_str()),
            request_id: RequestId::Own(id.as_bytes().into()),
        };
        let mut caught_up = None;
        loop {
            let snapshot = self.service.snapshot();
            let outcome = self.service.read(&snapshot, matched, &asked);
            if matches!(outcome, ReadOutcome::Ahead(_)) && caught_up.is_none() {
                // A revision is not held while waiting for the next one.
                drop(outcome);
                drop(snapshot);
                caught_up = Some(self.service.catch_up().await);
                continue;
            }
            let caught_up = caught_up.unwrap_or(CaughtUp::No);
            return finish(&snapshot, matched, &asked, outcome, caught_up).await;
        }
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
                Ok(request) => self.route(path, request).await.map(LibraryBody::Routed),
                Err(_) => refusal(HttpError::NotFound, path).await,
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
        };
        let outcome = self.service.read(snapshot, &matched, &asked);
        finish(snapshot, &matched, &asked, outcome, CaughtUp::No).await
    }

    async fn route(&self, path: &str, request: Request<Body>) -> Response<Body> {
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
        print::add_policy(response.headers_mut(), Policy::Public);
        response
    }
}

/// Whether a request was counted for a client.
enum Counted<'a> {
    Not,
    As {
        /// For as long as the request is in progress.
        _in: CountedRequest<'a>,
    },
    TooMany,
}

/// The answer to a read. What has to be compressed first is waited for.
async fn finish(
    snapshot: &Snapshot,
    matched: &RouteMatch<'_>,
    asked: &Asked<'_>,
    outcome: ReadOutcome<'_>,
    caught_up: CaughtUp,
) -> Response<LibraryBody> {
    let answer = match outcome {
        ReadOutcome::Ready(answer) => answer,
        ReadOutcome::Compress(compression) => compression.finish(asked).await,
        ReadOutcome::Ahead(error) => {
            let policy = Policy::of(asked.verb, asked.path, snapshot.etag());
            failure(caught_up.failure(error), matched.route, policy)
        }
    };
    print::response(answer).await
}

/// The answer to a request that is not looked at any further.
async fn refusal(error: HttpError, path: &str) -> Response<LibraryBody> {
    print::response(failure(error, None, Policy::of(Verb::Other, path, ""))).await
}

fn unwrap_infallible<T>(result: Result<T, Infallible>) -> T {
    match result {
        Ok(value) => value,
        Err(never) => match never {},
    }
}

/// A request has exactly one `Host`; only before HTTP/1.1 it may have none.
fn has_one_host(request: &Request<Incoming>) -> bool {
    match request.headers().get_all(header::HOST).iter().count() {
        0 => request.version() < Version::HTTP_11,
        1 => true,
        _ => false,
    }
}

fn field<'a>(headers: &'a HeaderMap, name: &str) -> HeaderField<'a> {
    HeaderField::of(headers.get_all(name).iter().map(axum::http::HeaderValue::as_bytes))
}

fn first<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a [u8]> {
    headers.get(name).map(axum::http::HeaderValue::as_bytes)
}
