//! Serving a service until it stops.

use std::{
    future::Future,
    io,
    sync::{Arc, atomic::Ordering},
};

use appstitch_publish::follow;
use appstitch_wire::Wire;
use tokio::{net::TcpListener, time};

use crate::{endpoints::ServiceEndpoints, prerender::prerender, service::Service};

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
    let parts = Arc::clone(service.parts());
    let upkeep = tokio::spawn(follow(Arc::clone(&parts.publisher)));
    let changes = parts.publisher.changes();
    let pages_ahead = tokio::spawn(prerender(Arc::clone(&service), changes));
    if let Some(hooks) = &parts.hooks {
        hooks.start();
    }
    let wire = Wire {
        endpoints: Arc::new(ServiceEndpoints::new(service)),
        limits: parts.limits.clone(),
        memory: Arc::clone(&parts.memory),
        counts: Arc::clone(&parts.metrics.connections),
    };
    let stop = async {
        stop.await;
        parts.is_stopping.store(true, Ordering::Relaxed);
    };
    let stopping = wire.serve(listener, stop).await;
    upkeep.abort();
    pages_ahead.abort();
    let stopping = stopping?;
    let all_ended = async {
        stopping.finish().await;
        // A message whose answer is not seen would be sent again after the next start.
        if let Some(hooks) = &parts.hooks {
            hooks.stop().await;
        }
    };
    if time::timeout(parts.limits.stop_time, all_ended).await.is_err() {
        tracing::warn!("stopped with requests still in flight");
    }
    Ok(())
}
