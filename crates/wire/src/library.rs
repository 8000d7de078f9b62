//! Requests that the HTTP library reads: uploads, tools, documentation pages, and whatever is unusual
//! about its framing.
//!
//! A read that comes this way is answered as on the fast path. Everything else is routed.

mod body;
mod held_now;
mod print;
mod stall_guard;

pub use body::LibraryBody;
pub(crate) use held_now::HeldNow;
pub use print::{add_policy, response};

use std::{
    convert::Infallible,
    io,
    pin::pin,
    sync::{Arc, atomic::Ordering},
};

use appstitch_bodies::Payload;
use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Request, Response, Version, header, request::Parts},
};
use bytes::Bytes;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{net::TcpStream, time::Instant};

use crate::{
    client_address::ClientAddress,
    drain::drain,
    endpoints::Rejection,
    finish::{Finished, finish},
    host::is_host,
    memory::{Held, ResponseMemory},
    message::{Content, HeaderField, ReadRequest, Verb},
    permits::{ConnectionPermit, Peer},
    request_body,
    request_id::RequestId,
    request_shares::CountedRequest,
    shared::Shared,
    trusted_proxies::FORWARDED_FOR,
};
use body::TrackedBody;
use stall_guard::StallGuard;

/// The minimum of the HTTP library.
const MIN_HEADER_BYTES: usize = 8192;

/// Answers a client through the HTTP library until it disconnects, exceeds a limit, or the service
/// stops. These bytes were received and are not answered.
pub(crate) async fn serve(
    shared: &Arc<Shared>,
    permit: &ConnectionPermit,
    stream: TcpStream,
    unread: Bytes,
) -> io::Result<()> {
    let limits = &shared.limits;
    let held = HeldNow::default();
    let stream = StallGuard::new(permit, stream, unread, limits.write_time, &held);
    let answer = service_fn(|request| answer(shared, permit, &held, request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        // A client that has closed its sending side still waits for the response.
        .half_close(true)
        .max_buf_size(limits.header_bytes.max(MIN_HEADER_BYTES))
        .max_headers(limits.header_fields)
        .serve_connection(TokioIo::new(stream), answer);
    let mut connection = pin!(connection);
    tokio::select! {
        // The library first: requests received before the stop are answered.
        biased;
        ended = connection.as_mut() => return ended.map_err(io::Error::other),
        () = shared.stopped() => {}
    }
    connection.as_mut().graceful_shutdown();
    connection.await.map_err(io::Error::other)
}

async fn answer(
    shared: &Arc<Shared>,
    permit: &ConnectionPermit,
    held: &HeldNow,
    request: Request<Incoming>,
) -> Result<Response<TrackedBody>, Infallible> {
    let has_room = permit.begin();
    let mark = permit.response_mark();
    let mut response = if has_room {
        answer_counted(shared, permit, held, request).await
    } else {
        // The connection is about to be closed.
        response(shared.endpoints.rejection(Rejection::NoRoom, request.uri().path())).await
    };
    if permit.is_reserved() || !has_room {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    Ok(response.map(|body| TrackedBody::new(body, mark)))
}

async fn answer_counted(
    shared: &Arc<Shared>,
    permit: &ConnectionPermit,
    held: &HeldNow,
    request: Request<Incoming>,
) -> Response<LibraryBody> {
    let (mut parts, body) = request.into_parts();
    let mut body = Body::new(body);
    let client = client(shared, permit.peer(), &parts.headers);
    if let Some(client) = client {
        parts.extensions.insert(client);
    }
    let received = Received {
        id: RequestId::of(first(&parts.headers, "x-request-id")).into_owned(),
        parts,
        started: Instant::now(),
        client,
    };
    let path = received.parts.uri.path();
    let counted = match (permit.peer(), client) {
        (Peer::Proxy(_), Some(client)) => count_for_client(shared, client, path),
        _ => Counted::Not,
    };
    let mut response = if !has_one_host(&received.parts) {
        received.rejected(shared, Rejection::Host).await
    } else if let Counted::TooMany = counted {
        permit.count_rejection();
        let expects_continue = received.parts.headers.contains_key(header::EXPECT);
        request_body::reject(&mut body, expects_continue).await;
        received.rejected(shared, Rejection::ShareUsed).await
    } else if shared.endpoints.is_read(Verb::of(received.parts.method.as_str()), path) {
        // No read has a use for a body; one that is sent is read to its end first.
        drain(&mut body).await;
        let finished = read(shared, &received).await;
        received.printed(shared, held, finished).await
    } else {
        return routed(shared, held, received, body).await;
    };
    print::add_request_id(response.headers_mut(), &received.id);
    response
}

/// A request without its body.
#[derive(Clone)]
struct Received {
    parts: Parts,
    id: RequestId<'static>,
    started: Instant,
    client: Option<ClientAddress>,
}

impl Received {
    fn read_request(&self) -> ReadRequest<'_> {
        read_request(
            &self.parts,
            RequestId::Sent(self.id.as_bytes().into()),
            self.started,
            self.client,
        )
    }

    async fn rejected(&self, shared: &Shared, rejection: Rejection) -> Response<LibraryBody> {
        let read_response = shared.endpoints.rejection(rejection, self.parts.uri.path());
        shared.endpoints.note(&self.read_request(), &read_response);
        response(read_response).await
    }

    /// The answer to a read as the library sends it, if there is memory for it.
    async fn printed(
        &self,
        shared: &Shared,
        held_now: &HeldNow,
        finished: Finished,
    ) -> Response<LibraryBody> {
        let Finished { response: read_response, held } = finished;
        // The library sends what is kept in a file from memory, too.
        let is_head = self.parts.method == "HEAD";
        let held = match read_response.content.as_ref().filter(|_| !is_head) {
            Some(Content { payload: Payload::File(range), .. }) => {
                shared.memory.hold_bytes(self.client, range.length())
            }
            _ => Ok(held),
        };
        let Ok(held) = held else {
            shared.counts.refused_for_memory.fetch_add(1, Ordering::Relaxed);
            return self.rejected(shared, Rejection::Busy).await;
        };
        shared.endpoints.note(&self.read_request(), &read_response);
        let held: Option<Arc<Held>> = held.map(Arc::new);
        held_now.set(held.as_ref().map(|held| held.pool().clone()));
        print::held_response(read_response, held).await
    }
}

async fn read(shared: &Arc<Shared>, received: &Received) -> Finished {
    let on_worker = |attempt| {
        let (endpoints, received) = (Arc::clone(&shared.endpoints), received.clone());
        move || endpoints.read(&received.read_request(), attempt)
    };
    let finished = finish(shared, &received.read_request(), on_worker).await;
    finished.unwrap_or_else(|| {
        let read_response =
            shared.endpoints.rejection(Rejection::Failed, received.parts.uri.path());
        Finished { response: read_response, held: None }
    })
}

/// Answers anything but a read.
async fn routed(
    shared: &Shared,
    held: &HeldNow,
    received: Received,
    body: Body,
) -> Response<LibraryBody> {
    let Received { parts, id, started, client } = received;
    let head = parts.clone();
    let routed = shared.endpoints.route(Request::from_parts(parts, body), &id).await;
    let read_request = read_request(&head, RequestId::Sent(id.as_bytes().into()), started, client);
    shared.endpoints.note_routed(&read_request, head.method.as_str(), routed.status());
    held.set(routed.extensions().get::<ResponseMemory>().map(|memory| memory.0.clone()));
    let mut response = routed.map(LibraryBody::Routed);
    print::add_request_id(response.headers_mut(), &id);
    response
}

/// Whose request it is: a client that a trusted proxy names, or the proxy if it names none.
fn client(shared: &Shared, peer: Peer, headers: &HeaderMap) -> Option<ClientAddress> {
    match peer {
        Peer::Client(client) => Some(client),
        Peer::Proxy(proxy) => {
            let fields = headers.get_all(FORWARDED_FOR).iter().map(HeaderValue::as_bytes);
            Some(shared.limits.trusted_proxies.client_of(proxy, fields))
        }
        Peer::Unknown => None,
    }
}

/// Counts a request that came through a trusted proxy. Administration is not limited.
fn count_for_client<'a>(shared: &'a Shared, client: ClientAddress, path: &str) -> Counted<'a> {
    if path.starts_with("/admin/") {
        return Counted::Not;
    }
    shared.shares.count(client).map_or(Counted::TooMany, |counted| Counted::As { _in: counted })
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

/// A request has exactly one valid `Host`; only before HTTP/1.1 it may have none.
fn has_one_host(parts: &Parts) -> bool {
    let mut hosts = parts.headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) => parts.version < Version::HTTP_11,
        (Some(host), None) => is_host(host.as_bytes()),
        (Some(_), Some(_)) => false,
    }
}

fn read_request<'a>(
    parts: &'a Parts,
    request_id: RequestId<'a>,
    started: Instant,
    client: Option<ClientAddress>,
) -> ReadRequest<'a> {
    let field =
        |name| HeaderField::of(parts.headers.get_all(name).iter().map(HeaderValue::as_bytes));
    ReadRequest {
        verb: Verb::of(parts.method.as_str()),
        path: parts.uri.path(),
        query: parts.uri.query(),
        if_none_match: field(header::IF_NONE_MATCH),
        accept: field(header::ACCEPT),
        accept_encoding: field(header::ACCEPT_ENCODING),
        request_id,
        started,
        client,
    }
}

fn first<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a [u8]> {
    headers.get(name).map(HeaderValue::as_bytes)
}
