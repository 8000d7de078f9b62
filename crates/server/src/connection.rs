//! One connection, from its first byte to its last.

use std::{io, pin::pin};

use bytes::Bytes;
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpStream, sync::watch};

use crate::{
    fast_path::{Arrived, End, FastPath, Opened},
    library::{Library, StallGuard},
    places::Place,
};

/// What every connection is served with.
pub(crate) struct Connections {
    pub(crate) library: Library,
    pub(crate) http: http1::Builder,
    /// Tells connections to stop: set once, never reset.
    pub(crate) stopping: watch::Receiver<bool>,
}

impl Connections {
    /// Answers a client until it disconnects, exceeds a limit, or the service stops.
    pub(crate) async fn serve(&self, opened: Opened) {
        let Opened { arrived, place } = opened;
        if let Err(error) = self.answer(arrived, &place).await {
            tracing::debug!(%error, "a connection ended early");
        }
    }

    async fn answer(&self, arrived: Arrived, place: &Place) -> io::Result<()> {
        let fast_path = FastPath::new(arrived, place, self.library.service());
        let mut stopping = self.stopping.clone();
        let stop = pin!(until_stopped(&mut stopping));
        match fast_path.serve(|| self.is_stopping(), stop).await? {
            End::Closed => Ok(()),
            End::Other(stream, unread) => {
                // Large, and not needed by most connections.
                let answered = Box::pin(self.answer_anything(place, stream, unread)).await;
                answered.map_err(io::Error::other)
            }
        }
    }

    /// Hands the connection to the HTTP library and answers the requests it reads.
    async fn answer_anything(
        &self,
        place: &Place,
        stream: TcpStream,
        unread: Bytes,
    ) -> hyper::Result<()> {
        let patience = self.library.service().limits().write_time;
        let stream = TokioIo::new(StallGuard::new(place, stream, unread, patience));
        let answer = service_fn(|request| self.library.answer(place, request));
        let mut connection = pin!(self.http.serve_connection(stream, answer));
        let mut stopping = self.stopping.clone();
        tokio::select! {
            // The library first: requests received before the stop are answered.
            biased;
            ended = connection.as_mut() => return ended,
            () = until_stopped(&mut stopping) => {}
        }
        connection.as_mut().graceful_shutdown();
        connection.await
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.has_changed().unwrap_or(true)
    }
}

async fn until_stopped(stopping: &mut watch::Receiver<bool>) {
    // The sender is gone only when the service has stopped.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}
