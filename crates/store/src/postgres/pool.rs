//! A few connections that are kept for the next statement.
//!
//! A connection goes back only after work that succeeded. So a connection that is in an unknown state,
//! because its work failed or was canceled, is closed, and the server ends its transaction.

use std::{
    ops::{Deref, DerefMut},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    runtime::{Handle, Id},
    sync::{OwnedSemaphorePermit, Semaphore},
};
use tokio_postgres::Client;

use super::{connect::Connector, failure::within};
use crate::error::StoreError;

/// How many connections work at once. Servers allow about a hundred, for all replicas together.
const MOST_AT_ONCE: usize = 4;

/// How many connections are kept.
const MOST_KEPT: usize = 2;

/// How long to wait for another operation to end, and for an answer that shows that a connection works.
const TIMEOUT: Duration = Duration::from_secs(10);

pub(super) struct Pool {
    connector: Connector,
    kept: Mutex<Vec<(Id, Client)>>,
    permits: Arc<Semaphore>,
}

pub(super) struct Lease {
    pool: Arc<Pool>,
    client: Client,
    _permit: OwnedSemaphorePermit,
}

impl Pool {
    pub(super) fn new(connector: Connector) -> Self {
        let permits = Arc::new(Semaphore::new(MOST_AT_ONCE));
        Self { connector, kept: Mutex::default(), permits }
    }

    pub(super) fn connector(&self) -> &Connector {
        &self.connector
    }

    /// A connection that works.
    pub(super) async fn lease(self: &Arc<Self>) -> Result<Lease, StoreError> {
        let permit = tokio::time::timeout(TIMEOUT, Arc::clone(&self.permits).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else {
            return Err(StoreError::Unavailable("all connections are in use".to_owned()));
        };
        while let Some(client) = self.take() {
            // The server may have been restarted meanwhile.
            if within(TIMEOUT, client.check_connection()).await.is_ok() {
                return Ok(Lease { pool: Arc::clone(self), client, _permit: permit });
            }
        }
        let client = self.connector.client().await?;
        Ok(Lease { pool: Arc::clone(self), client, _permit: permit })
    }

    /// A kept connection of this runtime. Others would do their work at the priority of another
    /// runtime's threads, and end with it.
    fn take(&self) -> Option<Client> {
        let here = Handle::current().id();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(_, client)| !client.is_closed());
        let found = kept.iter().rposition(|(runtime, _)| *runtime == here)?;
        Some(kept.swap_remove(found).1)
    }
}

impl Lease {
    /// Keeps the connection for the next statement.
    pub(super) fn give_back(self) {
        let here = Handle::current().id();
        let mut kept = self.pool.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.iter().filter(|(runtime, _)| *runtime == here).count() < MOST_KEPT {
            kept.push((here, self.client));
        }
    }
}

impl Deref for Lease {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl DerefMut for Lease {
    fn deref_mut(&mut self) -> &mut Client {
        &mut self.client
    }
}
