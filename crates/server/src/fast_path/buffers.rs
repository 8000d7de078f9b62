//! What a connection has received, and the answer it is about to send.

use appstitch_snapshot::Payload;

use super::exchange::{Exchange, ExchangeStep, Moment};
use crate::service::Service;

/// A head that does not fit is left to the library; few are a tenth of this.
const READ_BYTES: usize = 4096;

pub(super) struct Buffers {
    /// What was received, and how much of it is filled.
    pub(super) received: Box<[u8]>,
    pub(super) filled: usize,
    pub(super) exchange: Exchange,
}

/// An answer whose head is written and not, or not wholly, sent.
pub(super) struct Unsent {
    pub(super) payload: Option<Payload>,
    pub(super) keeps_alive: bool,
}

impl Default for Buffers {
    fn default() -> Self {
        let received = vec![0; READ_BYTES].into();
        Self { received, filled: 0, exchange: Exchange::default() }
    }
}

impl Buffers {
    /// Answers the first request of what was received, and forgets it.
    pub(super) fn step(&mut self, service: &Service, moment: &Moment<'_>) -> ExchangeStep {
        let received = &self.received[..self.filled];
        let step = self.exchange.step(service, received, moment);
        self.forget_answered(step)
    }

    /// The same, and compresses its body if it must be.
    pub(super) async fn step_and_compress(
        &mut self,
        service: &Service,
        moment: &Moment<'_>,
    ) -> ExchangeStep {
        match self.step(service, moment) {
            ExchangeStep::Compress => {
                // Rare, and large: it must not make every connection larger.
                let received = &self.received[..self.filled];
                let work = Box::pin(self.exchange.compress(service, received, moment));
                let step = work.await;
                self.forget_answered(step)
            }
            step => step,
        }
    }

    fn forget_answered(&mut self, step: ExchangeStep) -> ExchangeStep {
        if let ExchangeStep::Answered { length, .. } = &step {
            self.received.copy_within(*length..self.filled, 0);
            self.filled -= length;
        }
        step
    }
}
