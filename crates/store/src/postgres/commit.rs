//! Commits a change in one transaction, and finds out what became of a commit whose answer was lost.

use std::time::{Duration, Instant};

use tokio_postgres::{Client, Transaction};

use super::{
    columns::{Columns, signed},
    failure::within,
    open::hold_schema,
    pool::Pool,
    write,
};
use crate::{Change, FailPoint, StoreError};

/// The channel on which every commit is announced.
pub(super) const CHANNEL: &str = "appstitch_edition";

/// How long the rows of a change may take.
const WRITING: Duration = Duration::from_mins(4);

/// How long the server may take to make the rows durable.
pub(super) const COMMITTING: Duration = Duration::from_secs(30);

/// How long to ask for the outcome of a commit whose answer was lost.
const ASKING: Duration = Duration::from_secs(30);

/// How long to wait before asking again.
const PAUSE: Duration = Duration::from_millis(250);

/// How many editions remember who wrote them.
const REMEMBERED: u64 = 1000;

/// Writes the change and returns the store's new edition.
pub(super) async fn commit(pool: &Pool, change: &Change) -> Result<u64, StoreError> {
    FailPoint::Begin.reach()?;
    let mut client = pool.lease().await?;
    let mark = mark()?;
    let edition = match transact(&mut client, change, &mark).await? {
        Outcome::Nothing(edition) => {
            client.give_back();
            return Ok(edition);
        }
        Outcome::Committed(edition) => {
            client.give_back();
            edition
        }
        Outcome::Unknown(edition, error) => {
            drop(client);
            find_out(pool, edition, &mark, error).await?
        }
    };
    FailPoint::Committed.reach()?;
    Ok(edition)
}

/// How a transaction ended.
enum Outcome {
    /// There was nothing to write.
    Nothing(u64),
    /// The server confirmed the commit.
    Committed(u64),
    /// The commit was sent, and failed or was not confirmed.
    Unknown(u64, StoreError),
}

async fn transact(client: &mut Client, change: &Change, mark: &str) -> Result<Outcome, StoreError> {
    let transaction = within(WRITING, client.transaction()).await?;
    within(WRITING, hold_schema(&transaction)).await?;
    let found = within(WRITING, lock(&transaction)).await?;
    if found != change.base_edition {
        return Err(StoreError::Moved { expected: change.base_edition, found });
    }
    if change.is_empty() {
        within(WRITING, transaction.rollback()).await?;
        return Ok(Outcome::Nothing(found));
    }
    within(WRITING, write::rows(&transaction, change)).await?;
    let edition = found + 1;
    within(WRITING, announce(&transaction, edition, mark)).await?;
    FailPoint::Commit.reach()?;
    Ok(match within(COMMITTING, transaction.commit()).await {
        Ok(()) => Outcome::Committed(edition),
        Err(error) => Outcome::Unknown(edition, error),
    })
}

/// Reads the edition and keeps other writers away until the transaction ends.
pub(super) async fn lock(transaction: &Transaction<'_>) -> Result<u64, StoreError> {
    let row = transaction.query_one("SELECT number FROM edition FOR UPDATE", &[]).await?;
    row.count("edition", 0)
}

/// Writes the new edition. Listeners hear of it when the transaction is committed.
pub(super) async fn announce(
    transaction: &Transaction<'_>,
    edition: u64,
    mark: &str,
) -> Result<(), StoreError> {
    let number = signed(edition);
    transaction.execute("UPDATE edition SET number = $1", &[&number]).await?;
    transaction
        .execute("INSERT INTO written (edition, mark) VALUES ($1, $2)", &[&number, &mark])
        .await?;
    let forgotten = signed(edition.saturating_sub(REMEMBERED));
    transaction.execute("DELETE FROM written WHERE edition <= $1", &[&forgotten]).await?;
    transaction.execute("SELECT pg_notify($1, $2)", &[&CHANNEL, &number.to_string()]).await?;
    Ok(())
}

/// Asks until the server tells whether the commit with this mark was made. Without an answer, nobody
/// knows.
pub(super) async fn find_out(
    pool: &Pool,
    edition: u64,
    mark: &str,
    lost: StoreError,
) -> Result<u64, StoreError> {
    let end = Instant::now() + ASKING;
    loop {
        match was_written(pool, edition, mark).await {
            Ok(true) => return Ok(edition),
            Ok(false) => return Err(lost),
            Err(_) if Instant::now() < end => tokio::time::sleep(PAUSE).await,
            Err(_) => return Err(StoreError::Uncertain),
        }
    }
}

async fn was_written(pool: &Pool, edition: u64, mark: &str) -> Result<bool, StoreError> {
    let mut client = pool.lease().await?;
    let transaction = within(ASKING, client.transaction()).await?;
    // The lost transaction holds this lock for as long as the server works on it. Only afterwards the
    // answer is final.
    within(ASKING, lock(&transaction)).await?;
    let query = "SELECT FROM written WHERE edition = $1 AND mark = $2";
    let row = within(ASKING, transaction.query_opt(query, &[&signed(edition), &mark])).await?;
    within(ASKING, transaction.rollback()).await?;
    client.give_back();
    Ok(row.is_some())
}

/// A text that no other commit has.
pub(super) fn mark() -> Result<String, StoreError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Postgres(error.to_string()))?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}
