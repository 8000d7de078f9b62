//! Answering a read that has to wait for something.

use std::sync::{Arc, atomic::Ordering};

use appstitch_bodies::Payload;

use crate::{
    client_address::ClientAddress,
    endpoints::{Attempt, Read, Refusal},
    memory::Held,
    message::{Answer, Asked, Content, Verb},
    shared::Shared,
    workers::NotDone,
};

/// An answer, and the memory that it takes.
pub(crate) struct Finished {
    pub(crate) answer: Answer,
    pub(crate) held: Option<Held>,
}

/// Answers a read, whatever it takes. `on_worker` makes the same attempt with what a worker can own.
/// `None` if it is not a read.
pub(crate) async fn finish<Work>(
    shared: &Arc<Shared>,
    asked: &Asked<'_>,
    on_worker: impl Fn(Attempt) -> Work,
) -> Option<Finished>
where
    Work: FnOnce() -> Read + Send + 'static,
{
    let endpoints = &shared.endpoints;
    let refused =
        |refusal| Some(Finished { answer: endpoints.refusal(refusal, asked.path), held: None });
    let mut attempt = Attempt::FIRST;
    loop {
        let mut read = endpoints.read(asked, attempt);
        if let Read::OnDemand = read {
            let work = on_worker(Attempt { is_on_worker: true, ..attempt });
            let (shared_by_worker, client, verb) = (Arc::clone(shared), asked.client, asked.verb);
            // An answer is counted before the worker makes the next one.
            let work = move || match work() {
                Read::Ready(answer) => Worked::Answer(shared_by_worker.hold(client, verb, answer)),
                other => Worked::Other(other),
            };
            read = match shared.workers.run(asked.client, work).await {
                Ok(Worked::Answer(Ok(finished))) => return Some(finished),
                Ok(Worked::Other(read)) => read,
                Ok(Worked::Answer(Err(NoMemory))) | Err(NotDone::NoRoom) => {
                    return refused(Refusal::Busy);
                }
                Err(NotDone::Failed) => return refused(Refusal::Failed),
            };
        }
        match read {
            Read::Ready(answer) => return Some(shared.held_or_refused(asked, answer)),
            Read::Later(answering) => {
                return Some(shared.held_or_refused(asked, answering.await));
            }
            Read::Behind if attempt.caught_up.is_none() => {
                attempt.caught_up = Some(endpoints.catch_up().await);
            }
            // A worker does everything, and whoever has caught up gets an answer.
            Read::OnDemand | Read::Behind => return refused(Refusal::Failed),
            Read::Routed => return None,
        }
    }
}

/// What a worker returns.
enum Worked {
    Answer(Result<Finished, NoMemory>),
    Other(Read),
}

/// Unsent answers take all memory.
pub(crate) struct NoMemory;

impl Shared {
    /// Counts the body of an answer that is about to be sent.
    pub(crate) fn hold(
        &self,
        client: Option<ClientAddress>,
        verb: Verb,
        answer: Answer,
    ) -> Result<Finished, NoMemory> {
        let held = match &answer.content {
            Some(content) if verb != Verb::Head => self.memory.hold(client, &content.payload),
            _ => Ok(None),
        };
        let Ok(held) = held else {
            self.counts.refused_for_memory.fetch_add(1, Ordering::Relaxed);
            return Err(NoMemory);
        };
        Ok(Finished { answer, held })
    }

    /// The same, or a refusal if there is no memory for it.
    #[inline]
    pub(crate) fn held_or_refused(&self, asked: &Asked<'_>, answer: Answer) -> Finished {
        // Nearly every answer is ready, and needs no memory.
        if !matches!(answer.content, Some(Content { payload: Payload::Made(_), .. })) {
            return Finished { answer, held: None };
        }
        self.hold(asked.client, asked.verb, answer).unwrap_or_else(|NoMemory| Finished {
            answer: self.endpoints.refusal(Refusal::Busy, asked.path),
            held: None,
        })
    }
}
