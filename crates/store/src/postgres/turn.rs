//! The turn to publish, as a lock of a connection.

use std::{sync::Arc, time::Duration};

use super::{
    failure::within,
    open::{LOCKS, SCHEMA_NUMBER},
    pool::{Lease, Pool},
};
use crate::StoreError;

/// The number of the lock, after those of the duties.
const TURN: i32 = LOCKS + 3;

/// How long to wait for the server.
const PATIENCE: Duration = Duration::from_secs(10);

/// The turn to publish. If it is dropped, the connection is closed, which ends the turn, too.
pub(crate) struct PublishTurn {
    lease: Lease,
}

impl PublishTurn {
    /// Waits for the turn. `None` if that takes too long or fails.
    pub(super) async fn take(pool: &Arc<Pool>) -> Option<Self> {
        let taken = async {
            let lease = pool.lease().await?;
            let lock = format!(
                "BEGIN; SET LOCAL lock_timeout = '5s';
                 SELECT pg_advisory_lock({TURN}, {SCHEMA_NUMBER}); COMMIT"
            );
            within(PATIENCE, lease.batch_execute(&lock)).await?;
            Ok::<_, StoreError>(Self { lease })
        };
        taken.await.inspect_err(|error| tracing::debug!(%error, "publishing without a turn")).ok()
    }

    pub(crate) async fn end(self) {
        let unlock = format!("SELECT pg_advisory_unlock({TURN}, {SCHEMA_NUMBER})");
        if within(PATIENCE, self.lease.batch_execute(&unlock)).await.is_ok() {
            self.lease.give_back();
        }
    }
}
