//! Webhooks and their deliveries.

use jiff::Timestamp;
use tokio_postgres::{Client, GenericClient, Row, Transaction, types::ToSql};

use super::{
    columns::{Columns, signed},
    read::each,
    text::written,
};
use crate::{
    HookPlace, HookProgress, HookStep, HookWrite, StoreError, StoredDelivery, StoredHook,
    StoredSecret,
};

pub(super) async fn all(client: &impl GenericClient) -> Result<Vec<StoredHook>, StoreError> {
    let query =
        "SELECT id, url, secret, previous_secret, previous_until, filter, format, created_at,
            generation, cursor_epoch, cursor_seq, pending_epoch, pending_seq, replay_at, attempts,
            failing_since, next_attempt, disabled
        FROM hook ORDER BY id";
    each(client, query, hook).await
}

fn hook(row: &Row) -> Result<StoredHook, StoreError> {
    let previous = row.optional_text(3)?.map(StoredSecret).zip(row.optional_moment(4)?);
    let pending = row.optional_text(11)?.zip(row.optional_count("number", 12)?);
    let attempts = row.count("count", 14)?;
    Ok(StoredHook {
        id: row.text(0)?,
        url: row.text(1)?,
        secret: StoredSecret(row.text(2)?),
        previous_secret: previous,
        filter: row.text(5)?,
        format: row.text(6)?,
        created_at: row.moment(7)?,
        generation: row.count("generation", 8)?,
        progress: HookProgress {
            cursor: HookPlace { epoch: row.text(9)?, seq: row.count("number", 10)? },
            pending: pending.map(|(epoch, seq)| HookPlace { epoch, seq }),
            replay_at: row.optional_moment(13)?,
            attempts: u32::try_from(attempts).unwrap_or(u32::MAX),
            failing_since: row.optional_moment(15)?,
            next_attempt: row.optional_moment(16)?,
            disabled: row.optional_text(17)?,
        },
    })
}

/// Begins a transaction in which nobody else writes hooks.
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
    let found = place(&transaction, &hook.id).await?.map(|(generation, _)| generation);
    if found != read {
        transaction.rollback().await?;
        return Ok(HookWrite::Moved);
    }
    let count = transaction.query_one("SELECT count(*) FROM hook", &[]).await?.count("count", 0)?;
    if found.is_none() && count >= most as u64 {
        transaction.rollback().await?;
        return Ok(HookWrite::Full);
    }
    // A hook that is removed and created again must not get the generation it had before: a delivery
    // may still be on its way.
    let next = match found {
        Some(found) => found.saturating_add(1),
        None => u64::try_from(hook.created_at.as_millisecond()).unwrap_or_default(),
    };
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

/// The generation and the cursor of a hook.
async fn place(
    client: &impl GenericClient,
    id: &str,
) -> Result<Option<(u64, HookPlace)>, StoreError> {
    let find = "SELECT generation, cursor_epoch, cursor_seq FROM hook WHERE id = $1";
    let row = client.query_opt(find, &[&written(id)]).await?;
    let read = |row: Row| {
        let cursor = HookPlace { epoch: row.text(1)?, seq: row.count("number", 2)? };
        Ok((row.count("generation", 0)?, cursor))
    };
    row.map(read).transpose()
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
        &pending.map(|place| written(&place.epoch)),
        &pending.map(|place| signed(place.seq)),
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
    let Some((generation, cursor)) = place(&transaction, id).await? else {
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
    let query = "SELECT at, message, kind, changes, status, elapsed_ms, error
        FROM hook_delivery WHERE hook = $1 ORDER BY number DESC";
    let rows = client.query(query, &[&written(id)]).await?;
    let read = |row: &Row| {
        Ok(StoredDelivery {
            at: row.moment(0)?,
            message: row.text(1)?,
            kind: row.text(2)?,
            changes: row.count("count", 3)?,
            status: row.status(4)?,
            elapsed_ms: row.count("duration", 5)?,
            error: row.optional_text(6)?,
        })
    };
    rows.iter().map(read).collect()
}
