//! Webhooks and their deliveries.

use jiff::Timestamp;
use tokio_postgres::{Client, GenericClient, Transaction, types::ToSql};

use super::{read::each, text::written};
use crate::{
    columns::{Columns, signed},
    error::StoreError,
    hook::{HookProgress, HookStep, HookWrite, JournalPosition, StoredDelivery, StoredHook},
    rows,
};

pub(super) async fn all(client: &impl GenericClient) -> Result<Vec<StoredHook>, StoreError> {
    each(client, rows::HOOKS, rows::hook).await
}

/// Begins a transaction that locks out other writers of hooks.
async fn lock(client: &mut Client) -> Result<Transaction<'_>, StoreError> {
    let transaction = client.transaction().await?;
    transaction.batch_execute("LOCK TABLE hook IN EXCLUSIVE MODE").await?;
    Ok(transaction)
}

pub(super) async fn put(
    client: &mut Client,
    hook: &StoredHook,
    read: Option<u64>,
    most: usize,
) -> Result<HookWrite, StoreError> {
    let transaction = lock(client).await?;
    let found = cursor(&transaction, &hook.id).await?.map(|(generation, _)| generation);
    if found != read {
        transaction.rollback().await?;
        return Ok(HookWrite::Moved);
    }
    let count = transaction.query_one("SELECT count(*) FROM hook", &[]).await?.count("count", 0)?;
    if found.is_none() && count >= most as u64 {
        transaction.rollback().await?;
        return Ok(HookWrite::Full);
    }
    let next = hook.next_generation(found);
    let previous = hook.previous_secret.as_ref();
    let values: [&(dyn ToSql + Sync); 9] = [
        &written(&hook.id),
        &written(&hook.url),
        &written(&hook.secret.0),
        &previous.map(|(secret, _)| written(&secret.0)),
        &previous.map(|(_, until)| until.as_millisecond()),
        &written(&hook.filter),
        &written(&hook.format),
        &hook.created_at.as_millisecond(),
        &signed(next),
    ];
    transaction
        .execute(
            "INSERT INTO hook (id, url, secret, previous_secret, previous_until, filter, format,
                 created_at, generation, cursor_epoch, cursor_seq, attempts)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '', 0, 0)
             ON CONFLICT (id) DO UPDATE SET url = excluded.url, secret = excluded.secret,
                 previous_secret = excluded.previous_secret,
                 previous_until = excluded.previous_until, filter = excluded.filter,
                 format = excluded.format, created_at = excluded.created_at,
                 generation = excluded.generation",
            &values,
        )
        .await?;
    put_progress(&transaction, &hook.id, &hook.progress).await?;
    transaction.commit().await?;
    Ok(HookWrite::Done)
}

async fn cursor(
    client: &impl GenericClient,
    id: &str,
) -> Result<Option<(u64, JournalPosition)>, StoreError> {
    let query = "SELECT generation, cursor_epoch, cursor_seq FROM hook WHERE id = $1";
    let row = client.query_opt(query, &[&written(id)]).await?;
    row.as_ref().map(rows::hook_cursor).transpose()
}

async fn put_progress(
    transaction: &Transaction<'_>,
    id: &str,
    progress: &HookProgress,
) -> Result<(), StoreError> {
    let milliseconds = |time: Option<Timestamp>| time.map(Timestamp::as_millisecond);
    let pending = progress.pending.as_ref();
    let values: [&(dyn ToSql + Sync); 10] = [
        &written(id),
        &written(&progress.cursor.epoch),
        &signed(progress.cursor.seq),
        &pending.map(|position| written(&position.epoch)),
        &pending.map(|position| signed(position.seq)),
        &milliseconds(progress.replay_at),
        &i64::from(progress.attempts),
        &milliseconds(progress.failing_since),
        &milliseconds(progress.next_attempt),
        &progress.disabled.as_deref().map(written),
    ];
    transaction
        .execute(
            "UPDATE hook SET cursor_epoch = $2, cursor_seq = $3, pending_epoch = $4,
                 pending_seq = $5, replay_at = $6, attempts = $7, failing_since = $8,
                 next_attempt = $9, disabled = $10
             WHERE id = $1",
            &values,
        )
        .await?;
    Ok(())
}

pub(super) async fn remove(client: &mut Client, id: &str) -> Result<bool, StoreError> {
    let transaction = lock(client).await?;
    let id = written(id);
    let removed = transaction.execute("DELETE FROM hook WHERE id = $1", &[&id]).await?;
    transaction.execute("DELETE FROM hook_delivery WHERE hook = $1", &[&id]).await?;
    transaction.commit().await?;
    Ok(removed > 0)
}

pub(super) async fn record(
    client: &mut Client,
    id: &str,
    step: Option<&HookStep>,
    delivery: Option<&StoredDelivery>,
    keep: usize,
) -> Result<bool, StoreError> {
    let transaction = lock(client).await?;
    let Some((generation, cursor)) = cursor(&transaction, id).await? else {
        transaction.rollback().await?;
        return Ok(false);
    };
    if let Some(delivery) = delivery {
        add_delivery(&transaction, id, delivery, keep).await?;
    }
    let current = step.filter(|step| step.generation == generation && step.from == cursor);
    if let Some(step) = current {
        put_progress(&transaction, id, &step.progress).await?;
    }
    transaction.commit().await?;
    Ok(current.is_some())
}

async fn add_delivery(
    transaction: &Transaction<'_>,
    id: &str,
    delivery: &StoredDelivery,
    keep: usize,
) -> Result<(), StoreError> {
    let StoredDelivery { at, message, kind, changes, status, elapsed_ms, error } = delivery;
    let id = written(id);
    let values: [&(dyn ToSql + Sync); 8] = [
        &id,
        &at.as_millisecond(),
        &written(message),
        &written(kind),
        &signed(*changes),
        &status.map(i32::from),
        &signed(*elapsed_ms),
        &error.as_deref().map(written),
    ];
    transaction
        .execute(
            "INSERT INTO hook_delivery (hook, at, message, kind, changes, status, elapsed_ms, error)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            &values,
        )
        .await?;
    transaction
        .execute(
            "DELETE FROM hook_delivery WHERE hook = $1 AND number <= (
                 SELECT number FROM hook_delivery WHERE hook = $1
                 ORDER BY number DESC LIMIT 1 OFFSET $2)",
            &[&id, &signed(keep as u64)],
        )
        .await?;
    Ok(())
}

/// The deliveries of a hook, newest first.
pub(super) async fn deliveries(
    client: &impl GenericClient,
    id: &str,
) -> Result<Vec<StoredDelivery>, StoreError> {
    let query = "SELECT at, message, kind, changes, status::int8, elapsed_ms, error
        FROM hook_delivery WHERE hook = $1 ORDER BY number DESC";
    client.query(query, &[&written(id)]).await?.iter().map(rows::delivery).collect()
}
