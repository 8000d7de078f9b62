//! A lock that belongs to a connection. The server gives it back when the connection ends, however it
//! ends.
//!
//! The holder tries its connection every few seconds. A holder that is cut off notices it after ten
//! seconds, and stops; the server notices it after 25 seconds, and lets another process have the lock.

use std::{sync::Arc, time::Duration};

use tokio::{sync::watch, task::AbortHandle};
use tokio_postgres::Client;

use super::{
    connect::Connector,
    failure::within,
    listen::beat,
    open::{LOCKS, SCHEMA_NUMBER},
};
use crate::{Duty, StoreError};

/// How long to wait for the server.
const PATIENCE: Duration = Duration::from_secs(10);

/// A held lock.
#[derive(Debug)]
pub(crate) struct SessionLock {
    client: Arc<Client>,
    /// Closed when the lock is lost.
    held: watch::Receiver<()>,
    task: AbortHandle,
}

impl SessionLock {
    /// Takes the lock of a duty; `None` if another process has it.
    pub(super) async fn take(
        connector: &Connector,
        duty: Duty,
    ) -> Result<Option<Self>, StoreError> {
        let client = Arc::new(connector.client().await?);
        let lock = format!("SELECT pg_try_advisory_lock($1, {SCHEMA_NUMBER})");
        let row = within(PATIENCE, client.query_one(&lock, &[&number(duty)])).await?;
        if !row.try_get::<_, bool>(0)? {
            return Ok(None);
        }
        let (tell, held) = watch::channel(());
        let beating = Arc::clone(&client);
        let task = tokio::spawn(async move {
            let _ = beat(&beating).await;
            // The server may still see the connection. Whoever takes the lock now finds it taken.
            drop(tell);
        });
        Ok(Some(Self { client, held, task: task.abort_handle() }))
    }

    pub(crate) fn is_held(&self) -> bool {
        !self.client.is_closed() && self.held.has_changed().is_ok()
    }

    /// Returns when the lock is lost.
    pub(crate) async fn lost(&self) {
        let mut held = self.held.clone();
        while held.changed().await.is_ok() {}
    }

    /// Gives the lock back now. Without this, the server does it when it notices that the connection
    /// is closed.
    pub(crate) async fn release(self) {
        let _ =
            within(PATIENCE, self.client.batch_execute("SELECT pg_advisory_unlock_all()")).await;
    }
}

impl Drop for SessionLock {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The first number of a duty's lock. The second one is the schema's.
fn number(duty: Duty) -> i32 {
    LOCKS
        + match duty {
            Duty::Hooks => 1,
            Duty::Refresh => 2,
        }
}
