//! The live network as one label sees it: requests one by one, on a thread that may wait.

use appstitch_labels::{Budget, Network, Recorded, Request, Response, Stopped};
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
    exchanges: Vec<Recorded>,
}

impl LiveNetwork {
    /// The network as one label sees it, until the time of one label is over. Call this on a thread
    /// of the runtime, and use the result on a thread that may block, such as that of
    /// [`tokio::task::spawn_blocking`].
    #[must_use]
    pub fn for_label(&self) -> LabelNetwork {
        LabelNetwork::new(self.clone())
    }
}

impl LabelNetwork {
    fn new(network: LiveNetwork) -> Self {
        let deadline = Instant::now().checked_add(network.options().label_time);
        let stopped = network.stopped();
        let runtime = Handle::current();
        Self { network, runtime, deadline, stopped, exchanges: Vec::new() }
    }

    /// Whether the time for all labels is over.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        *self.stopped.borrow()
    }

    /// The limits of the label's run, which ends when the network is stopped.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.network.budget()
    }

    /// The answers so far, each request once, if recording is on.
    #[must_use]
    pub fn into_exchanges(self) -> Vec<Recorded> {
        self.exchanges
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
        let options = self.network.options();
        if options.record {
            record(&mut self.exchanges, request, &response, options.github_token.as_ref());
        }
        Ok(Response::clone(&response))
    }
}
