//! The first request of a connection.

use std::net::TcpStream;

use tokio::time::Instant;

use super::{Arrivals, Waiting};
use crate::{
    fast_path::{
        Arrived, Opened,
        buffers::{Buffers, Unsent},
        exchange::{ExchangeStep, Moment},
        reserved::is_for_reserved_place,
        socket,
    },
    shared::Shared,
};

/// How a connection goes on after its first request.
enum Afterwards {
    Ended,
    /// With the rest of the response, if there is one.
    GoesOn(Option<Unsent>),
}

impl Arrivals {
    /// Receives what a socket has, and answers it if that ends the connection. Returns whether there
    /// was anything.
    pub(super) fn receive(
        &mut self,
        waiting: Waiting,
        is_watched: bool,
        shared: &Shared,
        is_stopping: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        match socket::receive(&waiting.socket, &mut self.buffers.received) {
            Ok(None) => {
                self.wait_for(waiting, is_watched);
                return false;
            }
            Ok(Some(0)) => {}
            Ok(Some(count)) => {
                // It is not idle any more, unless another thread has just closed it to make room.
                if !waiting.permit.begin() {
                    return true;
                }
                self.buffers.filled = count;
                if waiting.permit.is_reserved() {
                    self.answer_reserved(waiting, is_watched, shared);
                } else {
                    self.answer_first(waiting, is_watched, shared, is_stopping);
                }
            }
            Err(error) => tracing::debug!(%error, "a connection ended early"),
        }
        true
    }

    /// Answers the first request of a connection; if it goes on, it is handed on.
    fn answer_first(
        &mut self,
        waiting: Waiting,
        is_watched: bool,
        shared: &Shared,
        is_stopping: &(dyn Fn() -> bool + Sync),
    ) {
        let started = Instant::now();
        let (ends, peer) = (waiting.permit.is_reserved(), waiting.permit.peer());
        let step = self.buffers.step(shared, &Moment { started, peer, is_stopping, ends });
        let is_answered = matches!(step, ExchangeStep::Answered { .. });
        if let ExchangeStep::Incomplete = step {
            // Half a request does not keep a permit.
            waiting.permit.rest(waiting.since);
        }
        match self.answer(&waiting, step, started) {
            Afterwards::Ended => {}
            Afterwards::GoesOn(unsent) => {
                let since = if is_answered { started } else { waiting.since };
                self.hand_on(Waiting { since, ..waiting }, is_watched, unsent);
            }
        }
    }

    /// Answers a connection with a reserved permit: requests that the permit is for, and others only if
    /// that can be done at once.
    fn answer_reserved(&mut self, waiting: Waiting, is_watched: bool, shared: &Shared) {
        if is_for_reserved_place(&self.buffers.received[..self.buffers.filled]) {
            return self.answer_first(waiting, is_watched, shared, &|| true);
        }
        let (started, peer) = (Instant::now(), waiting.permit.peer());
        let moment = Moment { started, peer, is_stopping: &|| true, ends: true };
        if let ExchangeStep::Answered { body, .. } = self.buffers.step(shared, &moment)
            && let Ok((_, None)) = socket::send(&waiting.socket, self.buffers.exchange.head(), body)
        {
            self.buffers.filled = 0;
            return;
        }
        waiting.permit.count_rejection();
        self.reject(&waiting.socket, shared);
    }

    /// Tells a client that there is no room. What it has sent is read: otherwise closing would reset
    /// the connection, and the client might not see the response.
    pub(super) fn reject(&mut self, socket: &TcpStream, shared: &Shared) {
        let _ = socket::receive(socket, &mut self.buffers.received);
        self.buffers.filled = 0;
        self.buffers.exchange.reject(&*shared.endpoints);
        let _ = socket::send(socket, self.buffers.exchange.head(), None);
    }

    /// Sends a response, as far as the socket accepts it at once.
    fn answer(&mut self, waiting: &Waiting, step: ExchangeStep, started: Instant) -> Afterwards {
        let ExchangeStep::Answered { body, keeps_alive, .. } = step else {
            return Afterwards::GoesOn(None);
        };
        if self.buffers.filled == 0 {
            // A client that has its response finds this connection idle when it opens another one.
            waiting.permit.rest(started);
        }
        let head = self.buffers.exchange.head();
        let (sent, body) = match socket::send(&waiting.socket, head, body) {
            Ok(sent) => sent,
            Err(error) => {
                tracing::debug!(%error, "a connection ended early");
                self.buffers.filled = 0;
                return Afterwards::Ended;
            }
        };
        head.drain(..sent);
        let is_sent = head.is_empty() && body.is_none();
        if is_sent && !keeps_alive && self.buffers.filled == 0 {
            return Afterwards::Ended;
        }
        let has_more = !is_sent || !keeps_alive;
        Afterwards::GoesOn(has_more.then_some(Unsent { body, keeps_alive }))
    }

    fn hand_on(&mut self, waiting: Waiting, is_watched: bool, unsent: Option<Unsent>) {
        let Waiting { socket, permit, since } = waiting;
        let handed_on = || {
            if is_watched {
                self.poll.forget(&socket)?;
            }
            tokio::net::TcpStream::from_std(socket)
        };
        match handed_on() {
            Ok(stream) => {
                let buffers = std::mem::replace(&mut self.buffers, Buffers::take());
                let arrived = Arrived { stream, buffers, unsent, since };
                self.opened.push_back(Opened { arrived, permit });
            }
            Err(error) => {
                tracing::warn!(%error, "cannot wait for a connection");
                self.buffers.filled = 0;
            }
        }
    }
}
