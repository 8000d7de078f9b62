//! What a connection has received, and the answer it is about to send.
//!
//! Most connections are idle, and an idle connection needs no buffers. So the connections of a
//! thread share a few: one takes them when it has something to do and returns them when it waits.

use std::{cell::RefCell, sync::Arc};

use super::exchange::{Exchange, ExchangeStep, Moment, Outgoing};
use crate::shared::Shared;

/// A head that does not fit is left to the library; few are a tenth of this.
const READ_BYTES: usize = 4096;

/// How many spare buffers a thread keeps.
const SPARE: usize = 16;

thread_local! {
    static POOL: RefCell<Vec<Buffers>> = const { RefCell::new(Vec::new()) };
}

pub(super) struct Buffers {
    /// What was received, and how much of it is filled.
    pub(super) received: Box<[u8]>,
    pub(super) filled: usize,
    pub(super) exchange: Exchange,
}

/// The buffers of a connection, or what has to be kept of them while it waits.
pub(super) struct HeldBuffers {
    in_use: Option<Buffers>,
    /// What was received of a request before the connection had to wait; usually nothing.
    kept: Box<[u8]>,
}

/// A response whose head is written and not, or not wholly, sent.
pub(super) struct Unsent {
    pub(super) body: Option<Outgoing>,
    pub(super) keeps_alive: bool,
}

impl HeldBuffers {
    pub(super) fn new(buffers: Buffers) -> Self {
        Self { in_use: Some(buffers), kept: Box::default() }
    }

    /// Takes buffers if there are none in use.
    pub(super) fn in_use(&mut self) -> &mut Buffers {
        self.in_use.get_or_insert_with(|| {
            let mut buffers = Buffers::take();
            let kept = std::mem::take(&mut self.kept);
            buffers.filled = kept.len();
            buffers.received[..kept.len()].copy_from_slice(&kept);
            buffers
        })
    }

    /// Returns the buffers. The head of a response that is not sent would be lost.
    pub(super) fn rest(&mut self) {
        if let Some(buffers) = self.in_use.take() {
            if buffers.filled > 0 {
                self.kept = buffers.received[..buffers.filled].into();
            }
            buffers.give_back();
        }
    }

    pub(super) fn filled(&self) -> usize {
        self.in_use.as_ref().map_or(self.kept.len(), |buffers| buffers.filled)
    }
}

impl Buffers {
    /// Spare buffers, or new ones.
    pub(super) fn take() -> Self {
        POOL.with_borrow_mut(Vec::pop).unwrap_or_else(|| Self {
            received: vec![0; READ_BYTES].into(),
            filled: 0,
            exchange: Exchange::default(),
        })
    }

    fn give_back(mut self) {
        self.filled = 0;
        POOL.with_borrow_mut(|pool| {
            if pool.len() < SPARE {
                pool.push(self);
            }
        });
    }

    /// Answers the first request of what was received, and forgets it.
    pub(super) fn step(&mut self, shared: &Shared, moment: &Moment<'_>) -> ExchangeStep {
        let received = &self.received[..self.filled];
        let step = self.exchange.step(shared, received, moment);
        self.forget_answered(step)
    }

    /// The same for a request that has to wait.
    pub(super) async fn step_later(
        &mut self,
        shared: &Arc<Shared>,
        moment: &Moment<'_>,
    ) -> ExchangeStep {
        let received = &self.received[..self.filled];
        let step = self.exchange.step_later(shared, received, moment).await;
        self.forget_answered(step)
    }

    fn forget_answered(&mut self, step: ExchangeStep) -> ExchangeStep {
        if let ExchangeStep::Answered { length, .. } = &step {
            self.received.copy_within(*length..self.filled, 0);
            self.filled -= length;
        }
        step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_received_is_kept_while_the_buffers_are_used_by_others() {
        let mut connection = HeldBuffers::new(Buffers::take());
        let buffers = connection.in_use();
        buffers.received[..4].copy_from_slice(b"GET ");
        buffers.filled = 4;
        connection.rest();
        assert_eq!(connection.filled(), 4);
        let mut other = HeldBuffers::new(Buffers::take());
        let buffers = other.in_use();
        assert_eq!(buffers.filled, 0);
        buffers.received.fill(b'x');
        let buffers = connection.in_use();
        assert_eq!(&buffers.received[..buffers.filled], b"GET ");
    }

    #[test]
    fn a_thread_keeps_few_spare_buffers() {
        let mut connections: Vec<_> =
            (0..3 * SPARE).map(|_| HeldBuffers::new(Buffers::take())).collect();
        connections.iter_mut().for_each(HeldBuffers::rest);
        assert_eq!(POOL.with_borrow(Vec::len), SPARE);
    }
}
