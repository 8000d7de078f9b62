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
    service::Service,
};

/// How a connection goes on after its first request.
enum Afterwards {
    Ended,
    /// With the rest of the answer, if there is one.
    GoesOn(Option<Unsent>),
}

impl Arrivals {
    /// Receives what a socket has, and answers it if that ends the connection. Returns whether there
    /// was anything.
    pub(super) fn receive(
        &mut self,
        waiting: Waiting,
        is_watched: bool,
        service: &Service,
        is_stopping: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        match socket::receive(&waiting.socket, &mut self.buffers.received) {
            Ok(None) => {
                self.wait_for(waiting, is_watched);
                return false;
            }
            Ok(Some(0)) => {}
            Ok(Some(count)) => {
                self.buffers.filled = count;
                // It is not idle any more. It was a moment ago, or it would not be here.
                waiting.place.begin();
                if waiting.place.is_reserved() {
                    self.answer_reserved(waiting, is_watched, service);
                } else {
                    self.answer_first(waiting, is_watched, service, is_stopping);
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
        service: &Service,
        is_stopping: &(dyn Fn() -> bool + Sync),
    ) {
        let started = Instant::now();
        let ends = waiting.place.is_reserved();
        let step = self.buffers.step(service, &Moment { started, is_stopping, ends });
        let is_answered = matches!(step, ExchangeStep::Answered { .. });
        match self.answer(&waiting.socket, step) {
            Afterwards::Ended => {}
            Afterwards::GoesOn(unsent) => {
                let since = if is_answered { started } else { waiting.since };
                self.hand_on(Waiting { since, ..waiting }, is_watched, unsent);
            }
        }
    }

    /// Answers a connection in a reserved place: requests that the place is for, and others only if
    /// that can be done at once.
    fn answer_reserved(&mut self, waiting: Waiting, is_watched: bool, service: &Service) {
        if is_for_reserved_place(&self.buffers.received[..self.buffers.filled]) {
            return self.answer_first(waiting, is_watched, service, &|| true);
        }
        let moment = Moment { started: Instant::now(), is_stopping: &|| true, ends: true };
        if let ExchangeStep::Answered { payload, .. } = self.buffers.step(service, &moment)
            && let Ok((_, None)) =
                socket::send(&waiting.socket, self.buffers.exchange.head(), payload)
        {
            self.buffers.filled = 0;
            return;
        }
        waiting.place.count_refusal();
        self.refuse(&waiting.socket);
    }

    /// Tells a client that there is no room. What it has sent is read: otherwise closing would reset
    /// the connection, and the client might not see the answer.
    pub(super) fn refuse(&mut self, socket: &TcpStream) {
        let _ = socket::receive(socket, &mut self.buffers.received);
        self.buffers.filled = 0;
        self.buffers.exchange.refuse();
        let _ = socket::send(socket, self.buffers.exchange.head(), None);
    }

    /// Sends an answer, as far as the socket accepts it at once.
    fn answer(&mut self, socket: &TcpStream, step: ExchangeStep) -> Afterwards {
        let ExchangeStep::Answered { payload, keeps_alive, .. } = step else {
            return Afterwards::GoesOn(None);
        };
        let head = self.buffers.exchange.head();
        let (sent, payload) = match socket::send(socket, head, payload) {
            Ok(sent) => sent,
            Err(error) => {
                tracing::debug!(%error, "a connection ended early");
                self.buffers.filled = 0;
                return Afterwards::Ended;
            }
        };
        head.drain(..sent);
        let is_sent = head.is_empty() && payload.is_none();
        if is_sent && !keeps_alive && self.buffers.filled == 0 {
            return Afterwards::Ended;
        }
        let has_more = !is_sent || !keeps_alive;
        Afterwards::GoesOn(has_more.then_some(Unsent { payload, keeps_alive }))
    }

    /// Gives a connection to the runtime.
    fn hand_on(&mut self, waiting: Waiting, is_watched: bool, unsent: Option<Unsent>) {
        let Waiting { socket, place, since } = waiting;
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
                self.opened.push_back(Opened { arrived, place });
            }
            Err(error) => {
                tracing::warn!(%error, "cannot wait for a connection");
                self.buffers.filled = 0;
            }
        }
    }
}
