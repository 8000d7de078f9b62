//! From the bytes of a request to those of its answer, without a connection.

use appstitch_snapshot::Payload;
use tokio::time::Instant;

use super::{
    head::write_head,
    request::{FastRequest, Parsed, read_request, slots},
};
use crate::{
    http_error::HttpError,
    message::{Policy, Verb},
    reads::{ReadOutcome, failure},
    service::{Answered, Service},
};

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
    /// The first request was this long. Its answer's head is written, and this is to be sent
    /// behind it.
    Answered { length: usize, payload: Option<Payload>, keeps_alive: bool },
    /// More has to be received first.
    Incomplete,
    /// The bytes are for the HTTP library.
    Other,
}

impl Exchange {
    /// The head that was written last.
    pub(crate) fn head(&mut self) -> &mut Vec<u8> {
        &mut self.head
    }

    /// Answers the first request of what was received.
    pub(crate) async fn step(
        &mut self,
        service: &Service,
        received: &[u8],
        started: Instant,
        is_stopping: &impl Fn() -> bool,
    ) -> ExchangeStep {
        let mut slots = slots();
        let FastRequest { asked, framing, fields, length } =
            match read_request(received, &mut slots) {
                Parsed::Request(request) => request,
                Parsed::Incomplete => return ExchangeStep::Incomplete,
                Parsed::Other => return ExchangeStep::Other,
            };
        let (verb, path) = (asked.verb, asked.path);
        let matched = service.route(path);
        if fields > service.limits().header_fields || matched.needs_library(verb, path) {
            return ExchangeStep::Other;
        }
        // A client that takes its time must not hold on to a whole revision: the snapshot is held
        // until the head is written, and the payload holds its own part.
        let snapshot = service.snapshot();
        let answer = if framing.has_one_host() {
            match service.read(&snapshot, &matched, &asked) {
                ReadOutcome::Ready(answer) => answer,
                ReadOutcome::Compress(compression) => compression.finish(&asked).await,
            }
        } else {
            failure(HttpError::HostField, None, Policy::of(Verb::Other, path, ""))
        };
        // The last answer before a stop says so; what was received before is answered.
        let is_last = length == received.len() && is_stopping();
        let keeps_alive = framing.keeps_alive() && framing.has_one_host() && !is_last;
        write_head(&mut self.head, &answer, &asked.request_id, framing, keeps_alive, started);
        service.note(&Answered {
            method: verb.name(),
            path,
            route: matched.number,
            status: answer.status,
            started: started.into_std(),
            id: &asked.request_id,
        });
        let content = answer.content.filter(|_| verb != Verb::Head);
        let payload = content.map(|content| content.payload);
        ExchangeStep::Answered { length, payload, keeps_alive }
    }
}
