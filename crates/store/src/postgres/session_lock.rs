//! A lock that belongs to a connection. The server gives it back when the connection ends, however it
//! ends, and ends a connection whose process hangs.

use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio_postgres::Client;

use super::{
    connect::Connector,
    failure::within,
    open::{LOCKS, SCHEMA_NUMBER},
};
use crate::{
    duty::{Duty, EngineLock, LEASE},
    error::StoreError,
};

/// How long to wait for the server.
const TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(super) struct SessionLock {
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
        within(TIMEOUT, client.batch_execute(&lease)).await?;
        let lock = format!("SELECT pg_try_advisory_lock($1, {SCHEMA_NUMBER})");
        let row = within(TIMEOUT, client.query_one(&lock, &[&number(duty)])).await?;
        Ok(if row.try_get(0)? { Some(Self { client }) } else { None })
    }
}

impl EngineLock for SessionLock {
    /// Shows the server that this process works.
    fn beat(&self) -> BoxFuture<'_, bool> {
        Box::pin(async { within(TIMEOUT, self.client.check_connection()).await.is_ok() })
    }

    fn is_held(&self) -> bool {
        !self.client.is_closed()
    }

    /// Without this, the server notices later that the connection is closed.
    fn release(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            let unlock = "SELECT pg_advisory_unlock_all()";
            let _ = within(TIMEOUT, self.client.batch_execute(unlock)).await;
        })
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
