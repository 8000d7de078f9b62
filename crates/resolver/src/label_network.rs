//! The live network as one label sees it: requests one by one, on a thread that may wait.

use std::sync::atomic::Ordering;

use appstitch_labels::{Budget, Exchange, Network, Request, Response, Stopped};
use tokio::{
    runtime::Handle,
    sync::watch,
    time::{Instant, sleep_until},
};

use crate::{
    live::{LiveNetwork, over},
    recording::record,
};

/// The live network as one label sees it. Its requests wait, so it must be used on a thread that
/// may block.
pub struct LabelNetwork {
    network: LiveNetwork,
    runtime: Handle,
    deadline: Option<Instant>,
    stopped: watch::Receiver<bool>,
    was_limited: bool,
    /// `None` if they are too large.
    exchanges: Option<Vec<Exchange>>,
    recorded_bytes: usize,
}

impl LiveNetwork {
    /// The network as one label sees it, until the time of one label is over. Call this on a thread
    /// of the runtime, and use the result on a thread that may block, such as that of
    /// [`tokio::task::spawn_blocking`].
    pub fn for_label(&self) -> LabelNetwork {
        LabelNetwork::new(self.clone())
    }
}

impl LabelNetwork {
    fn new(network: LiveNetwork) -> Self {
        let deadline = Instant::now().checked_add(network.options().label_time);
        let stopped = network.stopped();
        let runtime = Handle::current();
        Self {
            network,
            runtime,
            deadline,
            stopped,
            was_limited: false,
            exchanges: Some(Vec::new()),
            recorded_bytes: 0,
        }
    }

    pub fn is_stopped(&self) -> bool {
        *self.stopped.borrow()
    }

    /// The limits of the label's run, which ends when the network is stopped.
    pub fn budget(&self) -> Budget {
        self.network.budget()
    }

    /// Whether a host answered that it wants no more requests.
    pub fn was_limited(&self) -> bool {
        self.was_limited
    }

    /// The answers so far, each request once, if recording is on. `None` if all labels together
    /// recorded too many bytes.
    pub fn into_exchanges(self) -> Option<Vec<Exchange>> {
        self.exchanges
    }

    /// Records an answer. When the memory for all labels is used up, this label gives its part back,
    /// because an incomplete record cannot be played.
    fn record(&mut self, request: &Request, response: &Response) {
        let options = self.network.options();
        let Some(exchanges) = self.exchanges.as_mut().filter(|_| options.record) else { return };
        let bytes = record(exchanges, request, response, options.github_token.as_ref());
        self.recorded_bytes += bytes;
        let total = self.network.recorded();
        if total.fetch_add(bytes, Ordering::Relaxed) + bytes > options.recorded_bytes {
            total.fetch_sub(self.recorded_bytes, Ordering::Relaxed);
            self.exchanges = None;
        }
    }
}

impl Network for LabelNetwork {
    fn fetch(&mut self, request: &Request) -> Result<Response, Stopped> {
        // Checked first, because a runtime that shuts down has no timers any more.
        if self.is_stopped() {
            return Err(over());
        }
        let Self { network, stopped, deadline, .. } = self;
        let late = async move {
            match *deadline {
                Some(deadline) => sleep_until(deadline).await,
                None => std::future::pending().await,
            }
        };
        let answer = self.runtime.block_on(async {
            tokio::select! {
                biased;
                _ = stopped.wait_for(|is_stopped| *is_stopped) => None,
                () = late => Some(Err(Stopped::TooMuch("the label takes too long"))),
                answer = network.fetch(request) => Some(answer),
            }
        });
        let response = answer.unwrap_or_else(|| Err(over()))?;
        self.was_limited |= self.network.is_limited(request, &response);
        self.record(request, &response);
        Ok(Response::clone(&response))
    }
}
