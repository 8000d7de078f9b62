//! What all connections of a service share.

use std::sync::Arc;

use tokio::{runtime::Handle, sync::watch};

use crate::{
    connection_counts::ConnectionCounts, endpoints::Endpoints, limits::Limits, memory::Memory,
    request_shares::RequestShares, workers::Workers,
};

pub(crate) struct Shared {
    pub(crate) endpoints: Arc<dyn Endpoints>,
    pub(crate) limits: Limits,
    pub(crate) memory: Arc<Memory>,
    pub(crate) counts: Arc<ConnectionCounts>,
    pub(crate) workers: Workers,
    /// The requests in progress of clients behind trusted proxies.
    pub(crate) shares: RequestShares,
    /// Where everything runs that is not a read.
    pub(crate) runtime: Handle,
    /// Tells connections to stop: set once, never reset.
    pub(crate) stopping: watch::Receiver<bool>,
}

impl Shared {
    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.has_changed().unwrap_or(true)
    }

    pub(crate) async fn stopped(&self) {
        // The sender is gone only when the service has stopped.
        let _ = self.stopping.clone().wait_for(|stopping| *stopping).await;
    }
}
