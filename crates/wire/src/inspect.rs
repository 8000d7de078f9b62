//! The fast path without a connection, for the fuzzer (`xtask/fuzz`) and for counting instructions.
//!
//! This is not part of the interface: it is hidden and changes with the code behind it. Through a
//! socket, an input would take a hundred times as long.

use std::sync::Arc;

use appstitch_bodies::Payload;
use tokio::{runtime::Handle, sync::watch, time::Instant};

use crate::{
    endpoints::{Attempt, Endpoints},
    fast_path::{Exchange, ExchangeStep, Moment},
    limits::Limits,
    memory::Memory,
    permits::Peer,
    request_shares::RequestShares,
    shared::Shared,
    workers::Workers,
};

pub use crate::fast_path::inspect::{ParsedHead, RequestHead, read_head};

/// A connection without a client.
pub struct Inspected {
    shared: Shared,
    exchange: Exchange,
    /// The clock is not what is inspected.
    started: Instant,
    _stop: watch::Sender<bool>,
}

impl Inspected {
    /// Asks these endpoints. It needs a runtime.
    pub fn new(endpoints: Arc<dyn Endpoints>) -> std::io::Result<Self> {
        let limits = Limits::default();
        let (stop, stopping) = watch::channel(false);
        let runtime = Handle::current();
        let shared = Shared {
            endpoints,
            memory: Arc::new(Memory::new(limits.memory_bytes)),
            counts: Arc::default(),
            workers: Workers::start(1, 1, 1, Arc::default(), &runtime)?,
            shares: RequestShares::new(1),
            runtime,
            stopping,
            limits,
        };
        Ok(Self { shared, exchange: Exchange::default(), started: Instant::now(), _stop: stop })
    }

    /// The head and the body of the response to the first request of some bytes; `None` if they are
    /// incomplete, for the HTTP library, or have to wait.
    #[inline]
    pub fn answer(
        &mut self,
        received: &[u8],
        attempt: Attempt,
    ) -> Option<(&[u8], Option<Payload>)> {
        let moment = Moment {
            started: self.started,
            peer: Peer::Unknown,
            is_stopping: &|| false,
            ends: false,
        };
        match self.exchange.try_step(&self.shared, received, &moment, attempt) {
            ExchangeStep::Answered { body, .. } => {
                Some((self.exchange.head(), body.map(|body| body.payload)))
            }
            ExchangeStep::Later | ExchangeStep::Incomplete | ExchangeStep::Other => None,
        }
    }
}
