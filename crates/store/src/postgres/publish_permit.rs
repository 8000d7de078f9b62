//! Lets one process publish at a time, by a lock of a connection.

use std::{sync::Arc, time::Duration};

use super::{
    failure::within,
    open::{LOCKS, SCHEMA_NUMBER},
    pool::{Lease, Pool},
};
use crate::{error::StoreError, publish_permit::PublishPermit};

/// The number of the lock, after those of the duties.
const PUBLISHING: i32 = LOCKS + 3;

/// How long to wait for the server.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Waits for the permit. If that takes too long or fails, publishing goes on without it. If the permit is
/// dropped, the connection is closed, which gives it back, too.
pub(super) async fn take(pool: &Arc<Pool>) -> PublishPermit {
    match lock(pool).await {
        Ok(lease) => PublishPermit::new(unlock(lease)),
        Err(error) => {
            tracing::debug!(%error, "publishing without a permit");
            PublishPermit::default()
        }
    }
}

async fn lock(pool: &Arc<Pool>) -> Result<Lease, StoreError> {
    let lease = pool.lease().await?;
    let lock = format!(
        "BEGIN; SET LOCAL lock_timeout = '5s';
         SELECT pg_advisory_lock({PUBLISHING}, {SCHEMA_NUMBER}); COMMIT"
    );
    within(TIMEOUT, lease.batch_execute(&lock)).await?;
    Ok(lease)
}

async fn unlock(lease: Lease) {
    let unlock = format!("SELECT pg_advisory_unlock({PUBLISHING}, {SCHEMA_NUMBER})");
    if within(TIMEOUT, lease.batch_execute(&unlock)).await.is_ok() {
        lease.give_back();
    }
}
