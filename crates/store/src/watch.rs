//! Notices that another process changed a store.

use std::time::Duration;

use crate::postgres::Listener;

/// How often a file is to be looked at. Nothing tells of a change to it.
const FILE: Duration = Duration::from_secs(2);

/// How often a database is to be looked at, in case that a notification was lost.
const DATABASE: Duration = Duration::from_secs(1);

/// Tells when a store may have changed.
#[derive(Debug)]
pub struct StoreWatch {
    listener: Option<Listener>,
}

impl StoreWatch {
    pub(crate) fn new(listener: Option<Listener>) -> Self {
        Self { listener }
    }

    /// Returns when the store's edition may have changed: at once when a database tells of a commit,
    /// and otherwise from time to time.
    pub async fn changed(&mut self) {
        match &mut self.listener {
            None => tokio::time::sleep(FILE).await,
            // Without an answer in time it is time to look.
            Some(listener) => drop(tokio::time::timeout(DATABASE, listener.heard()).await),
        }
    }
}
