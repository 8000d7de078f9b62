//! A lock that belongs to a connection. The server gives it back when the connection ends, however it
//! ends, and ends a connection whose process hangs.

use std::time::Duration;

use tokio_postgres::Client;

use super::{
    connect::Connector,
    failure::within,
    open::{LOCKS, SCHEMA_NUMBER},
};
use crate::{Duty, StoreError, duty::LEASE};

/// How long to wait for the server.
const PATIENCE: Duration = Duration::from_secs(10);

/// A held lock.
#[derive(Debug)]
pub(crate) struct SessionLock {
    client: Client,
}

impl SessionLock {
    /// Takes the lock of a duty; `None` if another process has it.
    pub(super) async fn take(
        connector: &Connector,
        duty: Duty,
    ) -> Result<Option<Self>, StoreError> {
        let client = connector.client().await?;
        // Servers before version 14 have no such setting.
        let lease = format!(
            "SELECT set_config(name, '{}s', FALSE) FROM pg_settings
             WHERE name = 'idle_session_timeout'",
            LEASE.as_secs()
        );
        within(PATIENCE, client.batch_execute(&lease)).await?;
        let lock = format!("SELECT pg_try_advisory_lock($1, {SCHEMA_NUMBER})");
        let row = within(PATIENCE, client.query_one(&lock, &[&number(duty)])).await?;
        Ok(if row.try_get(0)? { Some(Self { client }) } else { None })
    }

    pub(crate) fn is_held(&self) -> bool {
        !self.client.is_closed()
    }

    /// Shows the server that this process works. Returns whether the server answered.
    pub(crate) async fn beat(&self) -> bool {
        within(PATIENCE, self.client.check_connection()).await.is_ok()
    }

    /// Gives the lock back now. Without this, the server does it when it notices that the connection
    /// is closed.
    pub(crate) async fn release(&self) {
        let _ =
            within(PATIENCE, self.client.batch_execute("SELECT pg_advisory_unlock_all()")).await;
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
