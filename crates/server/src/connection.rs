//! One connection, from its first byte to its last.

use std::{io, pin::pin};

use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpStream, sync::watch};

use crate::{
    fast_path::{End, FastPath},
    library::{Library, StallGuard},
};

/// Tells connections that it is time to stop: set once, and never reset.
pub(crate) type Stopping = watch::Receiver<bool>;

/// Answers a client until it goes, breaks a limit, or the service stops.
pub(crate) async fn serve_connection(
    mut stream: TcpStream,
    library: &Library,
    http: &http1::Builder,
    stopping: Stopping,
) {
    let ended = match answer_reads(&mut stream, library, stopping.clone()).await {
        Ok(End::Closed) => return,
        Ok(End::Other(unread)) => {
            let patience = library.service().limits().write_time;
            let stream = StallGuard::new(stream, unread, patience);
            answer_anything(stream, library, http, stopping).await.map_err(io::Error::other)
        }
        Err(error) => Err(error),
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

async fn answer_reads(
    stream: &mut TcpStream,
    library: &Library,
    mut stopping: Stopping,
) -> io::Result<End> {
    let looked_at = stopping.clone();
    let is_stopping = || looked_at.has_changed().unwrap_or(true);
    let stop = pin!(until_stopped(&mut stopping));
    FastPath::new(stream, library.service()).serve(is_stopping, stop).await
}

/// Leaves the connection to the HTTP library, and answers whatever it reads.
async fn answer_anything(
    stream: StallGuard,
    library: &Library,
    http: &http1::Builder,
    mut stopping: Stopping,
) -> hyper::Result<()> {
    let answer = service_fn(|request| library.answer(request));
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), answer));
    tokio::select! {
        // The library first: what was received before the stop is answered.
        biased;
        ended = connection.as_mut() => return ended,
        () = until_stopped(&mut stopping) => {}
    }
    connection.as_mut().graceful_shutdown();
    connection.await
}

async fn until_stopped(stopping: &mut Stopping) {
    // Whoever would tell is gone: then it is time as well.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}
