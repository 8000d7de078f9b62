//! Accepting connections, within limits, until it is time to stop.

use std::{future::Future, sync::Arc, time::Duration};

use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Semaphore, watch},
    time,
};

use appstitch_publish::follow;

use crate::{connection::serve_connection, library::Library, service::Service};

/// The least the HTTP library takes.
const MIN_HEADER_BYTES: usize = 8192;

/// Serves connections of the listener until `stop` completes, then finishes the requests in
/// flight, for as long as the limits allow.
pub async fn serve(listener: TcpListener, service: Service, stop: impl Future<Output = ()>) {
    let service = Arc::new(service);
    let limits = service.limits().clone();
    let upkeep = tokio::spawn(follow(Arc::clone(&service.parts().publisher)));
    let library = Arc::new(Library::new(service));
    let (stop_connections, stopping) = watch::channel(false);
    let places = Arc::new(Semaphore::new(limits.connections));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        // A client that has said all it wants to ask still waits for the answer.
        .half_close(true)
        .max_buf_size(limits.header_bytes.max(MIN_HEADER_BYTES))
        .max_headers(limits.header_fields);

    let mut stop = std::pin::pin!(stop);
    loop {
        let accept = async {
            // The semaphore is never closed, so there is always a permit in the end.
            let place = Arc::clone(&places).acquire_owned().await.ok();
            (place, accept(&listener).await)
        };
        let (place, stream) = tokio::select! {
            accepted = accept => accepted,
            () = &mut stop => break,
        };
        let (library, http, stopping) = (Arc::clone(&library), http.clone(), stopping.clone());
        tokio::spawn(async move {
            serve_connection(stream, &library, &http, stopping).await;
            drop(place);
        });
    }

    drop(listener);
    upkeep.abort();
    let open_connections = limits.connections - places.available_permits();
    tracing::info!(open_connections, "stopping");
    stop_connections.send_replace(true);
    // When every place is free, every connection is done.
    let all_places = u32::try_from(limits.connections).unwrap_or(u32::MAX);
    if time::timeout(limits.stop_time, places.acquire_many(all_places)).await.is_err() {
        tracing::warn!("requests were still in flight when the time to stop was up");
    }
}

/// The next connection; failures to accept pass (too many open files, say), so it tries again.
async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Answers are written whole, so there is nothing to gain from waiting.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "a connection keeps its delay");
                }
                return stream;
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}
