//! Connections as they arrive, where there is no separate poll: all are handed on.

use std::{collections::VecDeque, io, sync::Arc, time::Duration};

use tokio::{
    net::TcpListener,
    time::{Instant, sleep},
};

use super::{Arrived, Opened, bound_unsent::bound_unsent, buffers::Buffers};
use crate::{
    once_a_minute::OnceAMinute,
    permits::{ConnectionPermits, Home},
    shared::Shared,
};

/// How long to wait after a failure to accept.
const PAUSE: Duration = Duration::from_millis(50);

pub(crate) struct Arrivals {
    listener: TcpListener,
    permits: Arc<ConnectionPermits>,
    thread: usize,
    /// Failures to accept. Any client can cause them by opening connections.
    failures: OnceAMinute,
}

impl Arrivals {
    pub(crate) fn new(
        listener: std::net::TcpListener,
        permits: Arc<ConnectionPermits>,
        thread: usize,
        _: Duration,
    ) -> io::Result<Self> {
        let listener = TcpListener::from_std(listener)?;
        Ok(Self { listener, permits, thread, failures: OnceAMinute::default() })
    }

    pub(crate) async fn next(&mut self, _: &Shared, _: &(dyn Fn() -> bool + Sync)) -> Opened {
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => {
                    let since = Instant::now();
                    let home = Home { thread: self.thread, descriptor: usize::MAX };
                    // A displaced connection has a task, which is aborted.
                    let admitted = self.permits.admit(Some(peer.ip()), home, since);
                    if let Some((permit, _)) = admitted {
                        permit.begin();
                        if permit.is_one_of_many() {
                            bound_unsent(&stream);
                        }
                        let arrived =
                            Arrived { stream, buffers: Buffers::take(), unsent: None, since };
                        return Opened { arrived, permit };
                    }
                }
                // Too many open files, for example: that passes.
                Err(error) => {
                    if let Some(count) = self.failures.count(Instant::now().into_std()) {
                        tracing::warn!(%error, count, "cannot accept connections");
                    }
                    let _ = self.permits.shed(1, self.thread, Instant::now());
                    sleep(PAUSE).await;
                }
            }
        }
    }

    pub(crate) fn last(self, _: &Shared, _: &(dyn Fn() -> bool + Sync)) -> VecDeque<Opened> {
        VecDeque::new()
    }
}
