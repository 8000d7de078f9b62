//! From the bytes of a request to those of its response, without a connection.

use std::sync::Arc;

use appstitch_bodies::Payload;
use tokio::time::Instant;

#[cfg(target_os = "linux")]
use super::framing::Framing;
use super::{
    head::write_head,
    request::{FastRequest, Parsed, Slots, parse_request, slots},
};
use crate::{
    endpoints::{Attempt, Endpoints, Read, Rejection},
    finish::{Finished, finish},
    memory::Held,
    message::Verb,
    permits::Peer,
    shared::Shared,
};
#[cfg(target_os = "linux")]
use crate::{message::Content, request_id::RequestId};

/// Answers one request after the other, and writes their heads into the same memory.
pub(crate) struct Exchange {
    head: Vec<u8>,
}

/// Room for a head and a short body.
const HEAD_BYTES: usize = 2048;

impl Default for Exchange {
    fn default() -> Self {
        Self { head: Vec::with_capacity(HEAD_BYTES) }
    }
}

/// What the received bytes led to.
pub(crate) enum ExchangeStep {
    /// The first request was this long. The head of its response is written, and this is to be sent
    /// after it.
    Answered { length: usize, body: Option<Outgoing>, keeps_alive: bool },
    /// Something has to be waited for first.
    Later,
    /// More has to be received first.
    Incomplete,
    /// The bytes are for the HTTP library.
    Other,
}

/// A body that is to be sent, and its memory.
pub(crate) struct Outgoing {
    pub(crate) payload: Payload,
    pub(crate) held: Option<Held>,
}

/// When a request arrived and from whom, and whether the service is about to stop.
pub(crate) struct Moment<'a> {
    pub(crate) started: Instant,
    pub(crate) peer: Peer,
    pub(crate) is_stopping: &'a (dyn Fn() -> bool + Sync),
    /// Whether the connection ends with this response, whatever else was received.
    pub(crate) ends: bool,
}

impl Exchange {
    /// The head that was written last.
    pub(crate) fn head(&mut self) -> &mut Vec<u8> {
        &mut self.head
    }

    /// Answers without having looked at the request: there is no room for it.
    #[cfg(target_os = "linux")]
    pub(super) fn reject(&mut self, endpoints: &dyn Endpoints) {
        let response = endpoints.rejection(Rejection::NoRoom, "");
        let (id, now) = (RequestId::of(None), Instant::now());
        write_head(&mut self.head, &response, &id, Framing::new(1), false, now);
        if let Some(Content { payload: Payload::Memory(body), .. }) = response.content {
            body.slices().iter().for_each(|slice| self.head.extend_from_slice(slice));
        }
    }

    /// Answers the first request of what was received.
    pub(crate) fn step(
        &mut self,
        shared: &Shared,
        received: &[u8],
        moment: &Moment<'_>,
    ) -> ExchangeStep {
        self.try_step(shared, received, moment, Attempt::FIRST)
    }

    /// The same with any attempt.
    pub(crate) fn try_step(
        &mut self,
        shared: &Shared,
        received: &[u8],
        moment: &Moment<'_>,
        attempt: Attempt,
    ) -> ExchangeStep {
        let mut slots = slots();
        let endpoints = &shared.endpoints;
        let request = match read(shared, received, &mut slots, moment) {
            Parsed::Request(request) => request,
            Parsed::Incomplete => return ExchangeStep::Incomplete,
            Parsed::Other => return ExchangeStep::Other,
        };
        if request.fields() > shared.limits.header_fields {
            return ExchangeStep::Other;
        }
        let response = match endpoints.read(&request.read_request, attempt) {
            Read::Routed => return ExchangeStep::Other,
            _ if !request.framing.has_one_host() => {
                endpoints.rejection(Rejection::Host, request.read_request.path)
            }
            Read::Ready(response) => response,
            Read::Later(_) | Read::OnDemand | Read::After(_) => return ExchangeStep::Later,
        };
        let finished = shared.held_or_rejected(&request.read_request, response);
        self.complete(shared, &request, finished, received.len(), moment)
    }

    /// The same for a request that has to wait. The request is read again: holding on to it while
    /// waiting would make every connection larger.
    pub(crate) async fn step_later(
        &mut self,
        shared: &Arc<Shared>,
        received: &[u8],
        moment: &Moment<'_>,
    ) -> ExchangeStep {
        let mut slots = slots();
        let Parsed::Request(request) = read(shared, received, &mut slots, moment) else {
            return ExchangeStep::Other;
        };
        let on_worker = |attempt| {
            let bytes: Box<[u8]> = received[..request.length].into();
            read_on_worker(Arc::clone(shared), bytes, moment, attempt)
        };
        let Some(finished) = finish(shared, &request.read_request, on_worker).await else {
            return ExchangeStep::Other;
        };
        self.complete(shared, &request, finished, received.len(), moment)
    }

    /// Writes the head of a response, and notes it.
    #[inline]
    fn complete(
        &mut self,
        shared: &Shared,
        request: &FastRequest<'_>,
        finished: Finished,
        received: usize,
        moment: &Moment<'_>,
    ) -> ExchangeStep {
        let FastRequest { read_request, framing, length, .. } = request;
        let Finished { response, held } = finished;
        // The last response before a stop says so; what was received before is answered.
        let is_last = *length == received && (moment.is_stopping)();
        let keeps_alive =
            framing.keeps_alive() && framing.has_one_host() && !is_last && !moment.ends;
        let (id, started) = (&read_request.request_id, moment.started);
        write_head(&mut self.head, &response, id, *framing, keeps_alive, started);
        shared.endpoints.note(read_request, &response);
        let content = response.content.filter(|_| read_request.verb != Verb::Head);
        let body = content.map(|content| Outgoing { payload: content.payload, held });
        ExchangeStep::Answered { length: *length, body, keeps_alive }
    }
}

/// Reads the first request of what was received.
fn read<'a>(
    shared: &Shared,
    received: &'a [u8],
    slots: &'a mut Slots<'a>,
    moment: &Moment<'_>,
) -> Parsed<'a> {
    let mut parsed = parse_request(received, slots, moment.started);
    if let Parsed::Request(request) = &mut parsed {
        request.read_request.client = match moment.peer {
            Peer::Client(client) => Some(client),
            Peer::Proxy(proxy) => {
                Some(shared.limits.trusted_proxies.client_of(proxy, request.forwarded_for()))
            }
            Peer::Unknown => None,
        };
    }
    parsed
}

/// The work of a worker: reads the request again, which is a fraction of the work.
fn read_on_worker(
    shared: Arc<Shared>,
    bytes: Box<[u8]>,
    moment: &Moment<'_>,
    attempt: Attempt,
) -> impl FnOnce() -> Read + Send + use<> {
    let Moment { started, peer, ends, .. } = *moment;
    move || {
        let mut slots = slots();
        let moment = Moment { started, peer, is_stopping: &|| false, ends };
        match read(&shared, &bytes, &mut slots, &moment) {
            Parsed::Request(request) => shared.endpoints.read(&request.read_request, attempt),
            Parsed::Incomplete | Parsed::Other => Read::Routed,
        }
    }
}
