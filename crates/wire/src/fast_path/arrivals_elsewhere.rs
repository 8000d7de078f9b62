//! Connections as they arrive, where there is no poll of our own: all are handed on.

use std::{collections::VecDeque, io, sync::Arc, time::Duration};

use tokio::{
    net::TcpListener,
    time::{Instant, sleep},
};

use super::{Arrived, Opened, bound_unsent::bound_unsent, buffers::Buffers};
use crate::{
    once_a_minute::OnceAMinute,
    places::{Home, Places},
    shared::Shared,
};

/// How long to wait after a failure to accept.
const PAUSE: Duration = Duration::from_millis(50);

pub(crate) struct Arrivals {
    listener: TcpListener,
    places: Arc<Places>,
    thread: usize,
    /// Failures to accept. Anybody can cause them by opening connections.
    failures: OnceAMinute,
}

impl Arrivals {
    pub(crate) fn new(
        listener: std::net::TcpListener,
        places: Arc<Places>,
        thread: usize,
        _: Duration,
    ) -> io::Result<Self> {
        let listener = TcpListener::from_std(listener)?;
        Ok(Self { listener, places, thread, failures: OnceAMinute::default() })
    }

    /// The next connection.
    pub(crate) async fn next(&mut self, _: &Shared, _: &(dyn Fn() -> bool + Sync)) -> Opened {
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => {
                    let since = Instant::now();
                    let home = Home { thread: self.thread, descriptor: usize::MAX };
                    // Whoever is displaced has a task, which ends by itself.
                    let admitted = self.places.admit(Some(peer.ip()), home, since);
                    if let Some((place, _)) = admitted {
                        place.begin();
                        if place.is_one_of_many() {
                            bound_unsent(&stream);
                        }
                        let arrived =
                            Arrived { stream, buffers: Buffers::take(), unsent: None, since };
                        return Opened { arrived, place };
                    }
                }
                // Too many open files, for example: that passes.
                Err(error) => {
                    if let Some(count) = self.failures.count(Instant::now().into_std()) {
                        tracing::warn!(%error, count, "cannot accept connections");
                    }
                    let _ = self.places.shed(1, self.thread, Instant::now());
                    sleep(PAUSE).await;
                }
            }
        }
    }

    pub(crate) fn last(self, _: &Shared, _: &(dyn Fn() -> bool + Sync)) -> VecDeque<Opened> {
        VecDeque::new()
    }
}
