//! Accepting connections, within limits, until the service stops.

use std::{future::Future, io, sync::Arc};

use appstitch_publish::follow;
use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
use tokio::{
    net::TcpListener,
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    time,
};

use crate::{
    connection::Connections,
    fast_path::{Arrivals, Opened},
    library::Library,
    service::Service,
};

/// The minimum of the HTTP library.
const MIN_HEADER_BYTES: usize = 8192;

/// Serves connections of the listener until `stop` completes, then finishes the requests in
/// flight within the time limit.
///
/// Fails only if the listener cannot be used.
pub async fn serve(
    listener: TcpListener,
    service: Service,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
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

    let is_stopping = || connections.is_stopping();
    let start = |(opened, place): (Opened, OwnedSemaphorePermit)| {
        let connections = Arc::clone(&connections);
        tokio::spawn(async move {
            connections.serve(opened).await;
            drop(place);
        });
    };
    let mut arrivals = Arrivals::new(listener, Arc::clone(&places), limits.header_time)?;
    let mut stop = std::pin::pin!(stop);
    loop {
        tokio::select! {
            biased;
            () = &mut stop => break,
            arrived = arrivals.next(connections.library.service(), &is_stopping) => start(arrived),
        }
    }

    upkeep.abort();
    let open_connections = limits.connections - places.available_permits();
    tracing::info!(open_connections, "stopping");
    stop_connections.send_replace(true);
    // Requests that have arrived are answered; connections that are silent are closed.
    arrivals.last(connections.library.service(), &is_stopping).into_iter().for_each(start);
    // When every permit is free, every connection has ended.
    let all_places = u32::try_from(limits.connections).unwrap_or(u32::MAX);
    if time::timeout(limits.stop_time, places.acquire_many(all_places)).await.is_err() {
        tracing::warn!("stopped with requests still in flight");
    }
    Ok(())
}
