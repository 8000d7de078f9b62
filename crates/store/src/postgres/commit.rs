//! Commits a change in one transaction, and finds out what became of a commit whose answer was lost.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio_postgres::{Client, Transaction, types::ToSql};

use super::{failure::within, open::hold_schema, pool::Pool, read::edition, write};
use crate::{
    change::Change,
    columns::signed,
    edition::{Edition, REMEMBERED},
    error::StoreError,
    fail_point::FailPoint,
};

/// The channel on which every commit is announced.
pub(super) const CHANNEL: &str = "appstitch_edition";

/// How long the rows of a change may take.
const WRITING: Duration = Duration::from_mins(4);

/// How long the server may take to make the rows durable.
pub(super) const COMMITTING: Duration = Duration::from_secs(30);

/// How long to ask for the result of a commit whose answer was lost.
const ASKING: Duration = Duration::from_secs(30);

/// How long to wait before asking again.
const PAUSE: Duration = Duration::from_millis(250);

/// Writes the change and returns the store's new edition.
pub(super) async fn commit(pool: &Arc<Pool>, change: &Change) -> Result<Edition, StoreError> {
    FailPoint::Begin.reach()?;
    let mut client = pool.lease().await?;
    let edition = match transact(&mut client, change).await? {
        CommitResult::Nothing(edition) => {
            client.give_back();
            return Ok(edition);
        }
        CommitResult::Committed(edition) => {
            client.give_back();
            edition
        }
        CommitResult::Unknown(edition, error) => {
            drop(client);
            find_out(pool, edition, error).await?
        }
    };
    FailPoint::Committed.reach()?;
    Ok(edition)
}

/// How a transaction ended.
enum CommitResult {
    /// There was nothing to write.
    Nothing(Edition),
    /// The server confirmed the commit.
    Committed(Edition),
    /// The commit was sent, and failed or was not confirmed.
    Unknown(Edition, StoreError),
}

async fn transact(client: &mut Client, change: &Change) -> Result<CommitResult, StoreError> {
    let transaction = within(WRITING, client.transaction()).await?;
    within(WRITING, hold_schema(&transaction)).await?;
    let found = within(WRITING, lock(&transaction)).await?;
    if found != change.base_edition {
        return Err(StoreError::Moved);
    }
    if change.is_empty() {
        within(WRITING, transaction.rollback()).await?;
        return Ok(CommitResult::Nothing(found));
    }
    within(WRITING, write::rows(&transaction, change)).await?;
    let edition = found.next()?;
    within(WRITING, announce(&transaction, &edition)).await?;
    FailPoint::Commit.reach()?;
    Ok(match within(COMMITTING, transaction.commit()).await {
        Ok(()) => CommitResult::Committed(edition),
        Err(error) => CommitResult::Unknown(edition, error),
    })
}

/// Reads the edition and keeps other writers away until the transaction ends.
pub(super) async fn lock(transaction: &Transaction<'_>) -> Result<Edition, StoreError> {
    transaction.execute("SELECT FROM edition FOR UPDATE", &[]).await?;
    // Only a statement after the lock is sure to see the last edition.
    edition(transaction).await
}

/// Writes the new edition. Listeners hear of it when the transaction is committed.
pub(super) async fn announce(
    transaction: &Transaction<'_>,
    edition: &Edition,
) -> Result<(), StoreError> {
    let Edition { number, mark } = edition;
    let forgotten = signed(number.saturating_sub(REMEMBERED));
    let number = signed(*number);
    transaction.execute("UPDATE edition SET number = $1", &[&number]).await?;
    transaction
        .execute("INSERT INTO written (edition, mark) VALUES ($1, $2)", &[&number, mark])
        .await?;
    transaction.execute("DELETE FROM written WHERE edition <= $1", &[&forgotten]).await?;
    transaction.execute("SELECT pg_notify($1, $2)", &[&CHANNEL, &number.to_string()]).await?;
    Ok(())
}

/// Asks until the server reports whether the commit with this mark was made. Without a reply, that is
/// unknown.
pub(super) async fn find_out(
    pool: &Arc<Pool>,
    edition: Edition,
    lost: StoreError,
) -> Result<Edition, StoreError> {
    let end = Instant::now() + ASKING;
    loop {
        match was_written(pool, &edition).await {
            Ok(true) => return Ok(edition),
            Ok(false) => return Err(lost),
            Err(_) if Instant::now() < end => tokio::time::sleep(PAUSE).await,
            Err(_) => return Err(StoreError::Uncertain),
        }
    }
}

async fn was_written(pool: &Arc<Pool>, edition: &Edition) -> Result<bool, StoreError> {
    let mut client = pool.lease().await?;
    let transaction = within(ASKING, client.transaction()).await?;
    // The lost transaction holds this lock for as long as the server works on it. Only afterwards the
    // answer is final.
    within(ASKING, lock(&transaction)).await?;
    let query = "SELECT FROM written WHERE edition = $1 AND mark = $2";
    let values: [&(dyn ToSql + Sync); 2] = [&signed(edition.number), &edition.mark];
    let row = within(ASKING, transaction.query_opt(query, &values)).await?;
    within(ASKING, transaction.rollback()).await?;
    client.give_back();
    Ok(row.is_some())
}
