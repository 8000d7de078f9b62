//! Serving connections until the service stops.

use std::{
    future::Future,
    io,
    net::TcpListener,
    sync::{Arc, atomic::Ordering},
    thread,
};

use tokio::{
    runtime::{Builder, Handle},
    sync::{oneshot, watch},
    time,
};

use crate::{
    connection,
    connection_counts::ConnectionCounts,
    endpoints::Endpoints,
    fast_path::{Arrivals, Opened},
    limits::Limits,
    listen::listeners,
    memory::Memory,
    permits::{ConnectionPermits, report},
    request_shares::RequestShares,
    shared::Shared,
    workers::Workers,
};

/// What is served, and within which limits.
pub struct Wire {
    pub endpoints: Arc<dyn Endpoints>,
    pub limits: Limits,
    pub memory: Arc<Memory>,
    pub counts: Arc<ConnectionCounts>,
}

/// A service that has stopped accepting connections.
pub struct Stopping {
    permits: Arc<ConnectionPermits>,
    threads: Vec<oneshot::Receiver<()>>,
    report: tokio::task::JoinHandle<()>,
}

impl Wire {
    /// Serves connections of the listener until `stop` completes. Requests in flight are answered
    /// meanwhile; [`Stopping::finish`] waits for them.
    ///
    /// Reads are received and answered by one thread per core. Each has a listener, so that the
    /// system spreads connections over them. What is not a read runs on the runtime of the caller.
    ///
    /// Fails only if the listener cannot be used, or a thread cannot be started.
    pub async fn serve(
        self,
        listener: tokio::net::TcpListener,
        stop: impl Future<Output = ()>,
    ) -> io::Result<Stopping> {
        let Self { endpoints, limits, memory, counts } = self;
        let runtime = Handle::current();
        let count = limits.thread_count();
        let workers = Workers::start(
            count,
            limits.waiting_reads,
            limits.waiting_reads_per_client(),
            Arc::clone(&counts),
            &runtime,
        )?;
        let permits = Arc::new(ConnectionPermits::new(&limits, Arc::clone(&counts)));
        let (stop_connections, stopping) = watch::channel(false);
        let report = tokio::spawn(report(Arc::clone(&permits), stopping.clone()));
        let shares = RequestShares::new(limits.connections_per_client());
        let shared = Arc::new(Shared {
            endpoints,
            limits,
            memory,
            counts,
            workers,
            shares,
            runtime,
            stopping,
        });
        let mut threads = Vec::new();
        for (number, listener) in listeners(listener.into_std()?, count)?.into_iter().enumerate() {
            let (ended, end) = oneshot::channel();
            let (shared, permits) = (Arc::clone(&shared), Arc::clone(&permits));
            thread::Builder::new().name("wire".to_owned()).spawn(move || {
                if let Err(error) = receive(listener, number, &shared, &permits) {
                    tracing::error!(%error, "cannot receive requests");
                }
                drop(shared);
                // Nobody waits if the service did not stop in time.
                let _ = ended.send(());
            })?;
            threads.push(end);
        }
        stop.await;
        let open_connections = permits.counts().open.load(Ordering::Relaxed);
        tracing::info!(open_connections, "stopping");
        stop_connections.send_replace(true);
        Ok(Stopping { permits, threads, report })
    }
}

impl Stopping {
    /// Waits until everything that was received is answered.
    pub async fn finish(self) {
        self.permits.emptied().await;
        for thread in self.threads {
            let _ = thread.await;
        }
        // It has nothing to wait for.
        let _ = self.report.await;
    }
}

/// Receives and answers the requests of one listener, on this thread.
fn receive(
    listener: TcpListener,
    thread: usize,
    shared: &Arc<Shared>,
    permits: &Arc<ConnectionPermits>,
) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let received = runtime.block_on(async {
        let is_stopping = || shared.is_stopping();
        let start = |opened: Opened| {
            let set_task = opened.permit.task_setter();
            let task = tokio::spawn(connection::serve(Arc::clone(shared), opened));
            set_task(task.abort_handle());
        };
        let header_time = shared.limits.header_time;
        let mut arrivals = Arrivals::new(listener, Arc::clone(permits), thread, header_time)?;
        let mut stop = std::pin::pin!(shared.stopped());
        loop {
            tokio::select! {
                biased;
                () = &mut stop => break,
                arrived = arrivals.next(shared, &is_stopping) => start(arrived),
            }
        }
        // Requests that have arrived are answered; connections that are silent are closed.
        arrivals.last(shared, &is_stopping).into_iter().for_each(start);
        // The connections of this thread need its runtime.
        let _ = time::timeout(shared.limits.stop_time, permits.emptied()).await;
        Ok(())
    });
    // Files of bodies may still be written; they are not needed.
    runtime.shutdown_background();
    received
}
