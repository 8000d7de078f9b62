//! Accepting connections, within limits, until the service stops.

use std::{future::Future, sync::Arc, time::Duration};

use appstitch_publish::follow;
use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Semaphore, watch},
    time,
};

use crate::{connection::Connections, library::Library, service::Service};

/// The minimum of the HTTP library.
const MIN_HEADER_BYTES: usize = 8192;

/// Serves connections of the listener until `stop` completes, then finishes the requests in
/// flight within the time limit.
pub async fn serve(listener: TcpListener, service: Service, stop: impl Future<Output = ()>) {
    let service = Arc::new(service);
    let limits = service.limits().clone();
    let upkeep = tokio::spawn(follow(Arc::clone(&service.parts().publisher)));
    let library = Library::new(service);
    let (stop_connections, stopping) = watch::channel(false);
    let places = Arc::new(Semaphore::new(limits.connections));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        // A client that has closed its sending side still waits for the answer.
        .half_close(true)
        .max_buf_size(limits.header_bytes.max(MIN_HEADER_BYTES))
        .max_headers(limits.header_fields);
    let connections = Arc::new(Connections { library, http, stopping });

    let mut stop = std::pin::pin!(stop);
    loop {
        let accept = async {
            // The semaphore is never closed, so this does not fail.
            let place = Arc::clone(&places).acquire_owned().await.ok();
            (place, accept(&listener).await)
        };
        let (place, stream) = tokio::select! {
            // Looking for signals costs as much as accepting, so it comes second. It gets its turn:
            // the runtime makes a loop that is always ready pause.
            biased;
            accepted = accept => accepted,
            () = &mut stop => break,
        };
        let connections = Arc::clone(&connections);
        tokio::spawn(async move {
            connections.serve(stream).await;
            drop(place);
        });
    }

    drop(listener);
    upkeep.abort();
    let open_connections = limits.connections - places.available_permits();
    tracing::info!(open_connections, "stopping");
    stop_connections.send_replace(true);
    // When every permit is free, every connection has ended.
    let all_places = u32::try_from(limits.connections).unwrap_or(u32::MAX);
    if time::timeout(limits.stop_time, places.acquire_many(all_places)).await.is_err() {
        tracing::warn!("stopped with requests still in flight");
    }
}

/// The next connection. A failure to accept, such as too many open files, is temporary: retry.
async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}
