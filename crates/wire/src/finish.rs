//! Answering a read that has to wait for something.

use std::sync::{Arc, atomic::Ordering};

use appstitch_bodies::Payload;

use crate::{
    client_address::ClientAddress,
    endpoints::{Attempt, Read, Rejection},
    memory::Held,
    message::{Content, ReadRequest, ReadResponse, Verb},
    shared::Shared,
    workers::JobError,
};

pub(crate) struct Finished {
    pub(crate) response: ReadResponse,
    pub(crate) held: Option<Held>,
}

/// Answers a read, whatever it takes. `on_worker` makes the same attempt with what a worker can own.
/// `None` if it is not a read.
pub(crate) async fn finish<Work>(
    shared: &Arc<Shared>,
    read_request: &ReadRequest<'_>,
    on_worker: impl Fn(Attempt) -> Work,
) -> Option<Finished>
where
    Work: FnOnce() -> Read + Send + 'static,
{
    let endpoints = &shared.endpoints;
    let rejected = |rejection| {
        Some(Finished { response: endpoints.rejection(rejection, read_request.path), held: None })
    };
    let mut attempt = Attempt::FIRST;
    loop {
        let mut read = endpoints.read(read_request, attempt);
        if let Read::OnDemand = read {
            let work = on_worker(Attempt { is_on_worker: true, ..attempt });
            let (shared_by_worker, client, verb) =
                (Arc::clone(shared), read_request.client, read_request.verb);
            // A response is counted before the worker makes the next one.
            let work = move || match work() {
                Read::Ready(response) => {
                    Worked::ReadResponse(shared_by_worker.hold(client, verb, response))
                }
                other => Worked::Other(other),
            };
            read = match shared.workers.run(read_request.client, work).await {
                Ok(Worked::ReadResponse(Ok(finished))) => return Some(finished),
                Ok(Worked::Other(read)) => read,
                Ok(Worked::ReadResponse(Err(NoMemory))) | Err(JobError::NoRoom) => {
                    return rejected(Rejection::Busy);
                }
                Err(JobError::Failed) => return rejected(Rejection::Failed),
            };
        }
        match read {
            Read::Ready(response) => return Some(shared.held_or_rejected(read_request, response)),
            Read::Later(answering) => {
                return Some(shared.held_or_rejected(read_request, answering.await));
            }
            Read::After(work) if attempt.waited.is_none() => attempt.waited = Some(work.await),
            // A worker never defers, and nothing is waited for twice.
            Read::OnDemand | Read::After(_) => return rejected(Rejection::Failed),
            Read::Routed => return None,
        }
    }
}

enum Worked {
    ReadResponse(Result<Finished, NoMemory>),
    Other(Read),
}

/// Unsent responses take all memory.
pub(crate) struct NoMemory;

impl Shared {
    /// Counts the body of a response that is about to be sent.
    pub(crate) fn hold(
        &self,
        client: Option<ClientAddress>,
        verb: Verb,
        response: ReadResponse,
    ) -> Result<Finished, NoMemory> {
        let held = match &response.content {
            Some(content) if verb != Verb::Head => self.memory.hold(client, &content.payload),
            _ => Ok(None),
        };
        let Ok(held) = held else {
            self.counts.refused_for_memory.fetch_add(1, Ordering::Relaxed);
            return Err(NoMemory);
        };
        Ok(Finished { response, held })
    }

    /// The same, or a rejection if there is no memory for it.
    #[inline]
    pub(crate) fn held_or_rejected(
        &self,
        read_request: &ReadRequest<'_>,
        response: ReadResponse,
    ) -> Finished {
        // Nearly every response is ready, and needs no memory.
        if !matches!(response.content, Some(Content { payload: Payload::Made(_), .. })) {
            return Finished { response, held: None };
        }
        self.hold(read_request.client, read_request.verb, response).unwrap_or_else(|NoMemory| {
            Finished {
                response: self.endpoints.rejection(Rejection::Busy, read_request.path),
                held: None,
            }
        })
    }
}
