//! Connections as they arrive, where there is no poll of our own: all are handed on.

use std::{collections::VecDeque, io, sync::Arc, time::Duration};

use tokio::{
    net::TcpListener,
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, sleep},
};

use super::{Opened, buffers::Buffers};
use crate::service::Service;

/// How long to wait after a failure to accept.
const PAUSE: Duration = Duration::from_millis(50);

pub(crate) struct Arrivals {
    listener: TcpListener,
    places: Arc<Semaphore>,
}

impl Arrivals {
    pub(crate) fn new(
        listener: TcpListener,
        places: Arc<Semaphore>,
        _: Duration,
    ) -> io::Result<Self> {
        Ok(Self { listener, places })
    }

    /// The next connection, and its place.
    pub(crate) async fn next(
        &mut self,
        _: &Service,
        _: &(dyn Fn() -> bool + Sync),
    ) -> (Opened, OwnedSemaphorePermit) {
        loop {
            // The semaphore is never closed, so this does not fail.
            let Ok(place) = Arc::clone(&self.places).acquire_owned().await else { continue };
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    let (buffers, since) = (Buffers::default(), Instant::now());
                    return (Opened { stream, buffers, unsent: None, since }, place);
                }
                // Too many open files, for example: that passes.
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    sleep(PAUSE).await;
                }
            }
        }
    }

    pub(crate) fn last(
        self,
        _: &Service,
        _: &(dyn Fn() -> bool + Sync),
    ) -> VecDeque<(Opened, OwnedSemaphorePermit)> {
        VecDeque::new()
    }
}
