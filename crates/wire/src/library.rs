//! Requests that the HTTP library reads: uploads, tools, documentation pages, and whatever is unusual
//! about its framing.
//!
//! A read that comes this way is answered as on the fast path. Everything else is routed.

mod body;
mod held_now;
mod print;
mod stall_guard;
mod tracked_body;

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
    endpoints::Refusal,
    finish::{Finished, finish},
    host::is_host,
    memory::{AnswerMemory, Held},
    message::{Asked, Content, HeaderField, Verb},
    places::{Peer, Place},
    request_body,
    request_id::RequestId,
    request_shares::CountedRequest,
    shared::Shared,
    trusted_proxies::FORWARDED_FOR,
};
use stall_guard::StallGuard;
use tracked_body::TrackedBody;

/// The minimum of the HTTP library.
const MIN_HEADER_BYTES: usize = 8192;

/// Answers a client through the HTTP library until it disconnects, exceeds a limit, or the service
/// stops. These bytes were received and are not answered.
pub(crate) async fn serve(
    shared: &Arc<Shared>,
    place: &Place,
    stream: TcpStream,
    unread: Bytes,
) -> io::Result<()> {
    let limits = &shared.limits;
    let held = HeldNow::default();
    let stream = StallGuard::new(place, stream, unread, limits.write_time, &held);
    let answer = service_fn(|request| answer(shared, place, &held, request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        // A client that has closed its sending side still waits for the answer.
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

/// Answers one request of a connection.
async fn answer(
    shared: &Arc<Shared>,
    place: &Place,
    held: &HeldNow,
    request: Request<Incoming>,
) -> Result<Response<TrackedBody>, Infallible> {
    let has_room = place.begin();
    let mark = place.answer_mark();
    let mut response = if has_room {
        answer_counted(shared, place, held, request).await
    } else {
        // The connection is about to be closed.
        response(shared.endpoints.refusal(Refusal::NoRoom, request.uri().path())).await
    };
    if place.is_reserved() || !has_room {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    Ok(response.map(|body| TrackedBody::new(body, mark)))
}

async fn answer_counted(
    shared: &Arc<Shared>,
    place: &Place,
    held: &HeldNow,
    request: Request<Incoming>,
) -> Response<LibraryBody> {
    let (mut parts, body) = request.into_parts();
    let mut body = Body::new(body);
    let client = client(shared, place.peer(), &parts.headers);
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
    let counted = match (place.peer(), client) {
        (Peer::Proxy(_), Some(client)) => count_for_client(shared, client, path),
        _ => Counted::Not,
    };
    let mut response = if !has_one_host(&received.parts) {
        received.refused(shared, Refusal::Host).await
    } else if let Counted::TooMany = counted {
        place.count_refusal();
        let expects_continue = received.parts.headers.contains_key(header::EXPECT);
        request_body::reject(&mut body, expects_continue).await;
        received.refused(shared, Refusal::ShareUsed).await
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
    fn asked(&self) -> Asked<'_> {
        asked(&self.parts, RequestId::Own(self.id.as_bytes().into()), self.started, self.client)
    }

    async fn refused(&self, shared: &Shared, refusal: Refusal) -> Response<LibraryBody> {
        let answer = shared.endpoints.refusal(refusal, self.parts.uri.path());
        shared.endpoints.note(&self.asked(), &answer);
        response(answer).await
    }

    /// The answer to a read as the library sends it, if there is memory for it.
    async fn printed(
        &self,
        shared: &Shared,
        held_now: &HeldNow,
        finished: Finished,
    ) -> Response<LibraryBody> {
        let Finished { answer, held } = finished;
        // The library sends what is kept in a file from memory, too.
        let is_head = self.parts.method == "HEAD";
        let held = match answer.content.as_ref().filter(|_| !is_head) {
            Some(Content { payload: Payload::File(range), .. }) => {
                shared.memory.hold_bytes(self.client, range.length())
            }
            _ => Ok(held),
        };
        let Ok(held) = held else {
            shared.counts.refused_for_memory.fetch_add(1, Ordering::Relaxed);
            return self.refused(shared, Refusal::Busy).await;
        };
        shared.endpoints.note(&self.asked(), &answer);
        let held: Option<Arc<Held>> = held.map(Arc::new);
        held_now.set(held.as_ref().map(|held| held.pool().clone()));
        print::held_response(answer, held).await
    }
}

/// Answers a read.
async fn read(shared: &Arc<Shared>, received: &Received) -> Finished {
    let on_worker = |attempt| {
        let (endpoints, received) = (Arc::clone(&shared.endpoints), received.clone());
        move || endpoints.read(&received.asked(), attempt)
    };
    let finished = finish(shared, &received.asked(), on_worker).await;
    finished.unwrap_or_else(|| {
        let answer = shared.endpoints.refusal(Refusal::Failed, received.parts.uri.path());
        Finished { answer, held: None }
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
    let asked = asked(&head, RequestId::Own(id.as_bytes().into()), started, client);
    shared.endpoints.note_routed(&asked, head.method.as_str(), routed.status());
    held.set(routed.extensions().get::<AnswerMemory>().map(|memory| memory.0.clone()));
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

/// A read as the library has parsed it.
fn asked<'a>(
    parts: &'a Parts,
    request_id: RequestId<'a>,
    started: Instant,
    client: Option<ClientAddress>,
) -> Asked<'a> {
    let field =
        |name| HeaderField::of(parts.headers.get_all(name).iter().map(HeaderValue::as_bytes));
    Asked {
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
