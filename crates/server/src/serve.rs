//! Serving connections until the service stops.

use std::{
    future::Future,
    io,
    sync::{Arc, atomic::Ordering},
};

use appstitch_publish::follow;
use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
use tokio::{net::TcpListener, sync::watch, time};

use crate::{
    connection::Connections,
    fast_path::{Arrivals, Opened},
    library::Library,
    pages::make_pages_ahead,
    places::{Places, report},
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
    let parts = Arc::clone(service.parts());
    let changes = parts.publisher.changes();
    let pages_ahead = tokio::spawn(make_pages_ahead(Arc::clone(&service), changes));
    if let Some(hooks) = &parts.hooks {
        hooks.start();
    }
    let counts = Arc::clone(&service.parts().metrics.connections);
    let places = Arc::new(Places::new(&limits, counts));
    let library = Library::new(service);
    let (stop_connections, stopping) = watch::channel(false);
    let reports = tokio::spawn(report(Arc::clone(&places), stopping.clone()));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        // A client that has closed its sending side still waits for the answer.
        .half_close(true)
        .max_buf_size(limits.header_bytes.max(MIN_HEADER_BYTES))
        .max_headers(limits.header_fields);
    let connections = Arc::new(Connections { library, http, stopping });

    let is_stopping = || connections.is_stopping();
    let start = |opened: Opened| {
        let connections = Arc::clone(&connections);
        let set_task = opened.place.task_setter();
        let task = tokio::spawn(async move { connections.serve(opened).await });
        set_task(task.abort_handle());
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
    pages_ahead.abort();
    parts.is_stopping.store(true, Ordering::Relaxed);
    let open_connections = places.counts().open.load(Ordering::Relaxed);
    tracing::info!(open_connections, "stopping");
    stop_connections.send_replace(true);
    // Requests that have arrived are answered; connections that are silent are closed.
    arrivals.last(connections.library.service(), &is_stopping).into_iter().for_each(start);
    let all_ended = async {
        places.emptied().await;
        // It has nothing to wait for.
        let _ = reports.await;
        // A message whose answer is not seen would be sent again after the next start.
        if let Some(hooks) = &parts.hooks {
            hooks.stop().await;
        }
    };
    if time::timeout(limits.stop_time, all_ended).await.is_err() {
        tracing::warn!("stopped with requests still in flight");
    }
    Ok(())
}
