//! From the bytes of a request to those of its answer, without a connection.

use appstitch_snapshot::Payload;
use tokio::time::Instant;

#[cfg(target_os = "linux")]
use super::framing::Framing;
use super::{
    head::write_head,
    request::{FastRequest, Parsed, read_request, slots},
};
use crate::{
    http_error::HttpError,
    message::{Answer, Policy, Verb},
    reads::{ReadOutcome, failure},
    route::RouteMatch,
    service::{Answered, CaughtUp, Service},
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
    /// The first request was this long. The head of its answer is written, and this is to be sent
    /// after it.
    Answered { length: usize, payload: Option<Payload>, keeps_alive: bool },
    /// Something has to be waited for first: the compressed body, or another revision.
    Later,
    /// More has to be received first.
    Incomplete,
    /// The bytes are for the HTTP library.
    Other,
}

/// When a request arrived, and whether the service is about to stop.
pub(crate) struct Moment<'a> {
    pub(crate) started: Instant,
    pub(crate) is_stopping: &'a (dyn Fn() -> bool + Sync),
    /// Whether the connection ends with this answer, whatever else was received.
    pub(crate) ends: bool,
}

impl Exchange {
    /// The head that was written last.
    pub(crate) fn head(&mut self) -> &mut Vec<u8> {
        &mut self.head
    }

    /// Answers without having looked at the request: there is no room for it.
    #[cfg(target_os = "linux")]
    pub(super) fn refuse(&mut self) {
        let answer = failure(HttpError::NoRoom, None, Policy::Public);
        let (id, now) = (RequestId::of(None), Instant::now());
        write_head(&mut self.head, &answer, &id, Framing::new(1), false, now);
        if let Some(Content { payload: Payload::Memory(body), .. }) = answer.content {
            body.slices().iter().for_each(|slice| self.head.extend_from_slice(slice));
        }
    }

    /// Answers the first request of what was received.
    pub(crate) fn step(
        &mut self,
        service: &Service,
        received: &[u8],
        moment: &Moment<'_>,
    ) -> ExchangeStep {
        let mut slots = slots();
        let request = match read_request(received, &mut slots) {
            Parsed::Request(request) => request,
            Parsed::Incomplete => return ExchangeStep::Incomplete,
            Parsed::Other => return ExchangeStep::Other,
        };
        let asked = &request.asked;
        let matched = service.route(asked.path);
        let is_unusual = request.fields > service.limits().header_fields;
        if is_unusual || matched.needs_library(asked.verb, asked.path) {
            return ExchangeStep::Other;
        }
        // A client that takes its time must not hold on to a whole revision: the snapshot is held
        // until the head is written, and the payload holds its own part.
        let snapshot = service.snapshot();
        let answer = if request.framing.has_one_host() {
            match service.read(&snapshot, &matched, asked) {
                ReadOutcome::Ready(answer) => answer,
                ReadOutcome::Compress(_) | ReadOutcome::Ahead(_) => return ExchangeStep::Later,
            }
        } else {
            failure(HttpError::HostField, None, Policy::of(Verb::Other, asked.path, ""))
        };
        self.complete(service, &request, &matched, answer, received.len(), moment)
    }

    /// The same for a request that has to wait. The request is read again: holding on to it while
    /// waiting would make every connection larger.
    pub(crate) async fn step_later(
        &mut self,
        service: &Service,
        received: &[u8],
        moment: &Moment<'_>,
    ) -> ExchangeStep {
        let mut slots = slots();
        let Parsed::Request(request) = read_request(received, &mut slots) else {
            return ExchangeStep::Other;
        };
        let asked = &request.asked;
        let matched = service.route(asked.path);
        let mut caught_up = None;
        loop {
            let snapshot = service.snapshot();
            let outcome = service.read(&snapshot, &matched, asked);
            if matches!(outcome, ReadOutcome::Ahead(_)) && caught_up.is_none() {
                // A revision is not held while waiting for the next one.
                drop(outcome);
                drop(snapshot);
                caught_up = Some(service.catch_up().await);
                continue;
            }
            let answer = match outcome {
                ReadOutcome::Ready(answer) => answer,
                ReadOutcome::Compress(compression) => compression.finish(asked).await,
                ReadOutcome::Ahead(error) => {
                    let error = caught_up.unwrap_or(CaughtUp::No).failure(error);
                    let policy = Policy::of(asked.verb, asked.path, snapshot.etag());
                    failure(error, matched.route, policy)
                }
            };
            return self.complete(service, &request, &matched, answer, received.len(), moment);
        }
    }

    /// Writes the head of an answer, and notes it.
    fn complete(
        &mut self,
        service: &Service,
        request: &FastRequest<'_>,
        matched: &RouteMatch<'_>,
        answer: Answer<'_>,
        received: usize,
        moment: &Moment<'_>,
    ) -> ExchangeStep {
        let FastRequest { asked, framing, length, .. } = request;
        // The last answer before a stop says so; what was received before is answered.
        let is_last = *length == received && (moment.is_stopping)();
        let keeps_alive =
            framing.keeps_alive() && framing.has_one_host() && !is_last && !moment.ends;
        let (id, started) = (&asked.request_id, moment.started);
        write_head(&mut self.head, &answer, id, *framing, keeps_alive, started);
        service.note(&Answered {
            method: asked.verb.name(),
            path: asked.path,
            route: matched.number,
            status: answer.status,
            started: started.into_std(),
            id,
        });
        let content = answer.content.filter(|_| asked.verb != Verb::Head);
        let payload = content.map(|content| content.payload);
        ExchangeStep::Answered { length: *length, payload, keeps_alive }
    }
}
