//! Webhooks and their deliveries.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use super::columns::{has_column, moment, signed, unsigned};
use crate::{
    HookPlace, HookProgress, HookStep, HookWrite, StoreError, StoredDelivery, StoredHook,
    StoredSecret,
};

pub(super) fn all(connection: &Connection) -> Result<Vec<StoredHook>, StoreError> {
    if !has_column(connection, "hook", "generation")? {
        return Ok(Vec::new());
    }
    let mut statement = connection.prepare_cached(
        "SELECT id, url, secret, previous_secret, previous_until, filter, format, created_at,
             generation, cursor_epoch, cursor_seq, pending_epoch, pending_seq, replay_at, attempts,
             failing_since, next_attempt, disabled
         FROM hook ORDER BY id",
    )?;
    let mut rows = statement.query([])?;
    let mut hooks = Vec::new();
    while let Some(row) = rows.next()? {
        hooks.push(hook(row)?);
    }
    Ok(hooks)
}

fn hook(row: &Row<'_>) -> Result<StoredHook, StoreError> {
    let previous: Option<String> = row.get(3)?;
    let previous = previous.map(StoredSecret).zip(time(row.get(4)?)?);
    Ok(StoredHook {
        id: row.get(0)?,
        url: row.get(1)?,
        secret: StoredSecret(row.get(2)?),
        previous_secret: previous,
        filter: row.get(5)?,
        format: row.get(6)?,
        created_at: moment(row.get(7)?)?,
        generation: unsigned("generation", row.get(8)?)?,
        progress: HookProgress {
            cursor: HookPlace { epoch: row.get(9)?, seq: unsigned("number", row.get(10)?)? },
            pending: pending(row.get(11)?, row.get(12)?)?,
            replay_at: time(row.get(13)?)?,
            attempts: row.get(14)?,
            failing_since: time(row.get(15)?)?,
            next_attempt: time(row.get(16)?)?,
            disabled: row.get(17)?,
        },
    })
}

fn pending(epoch: Option<String>, seq: Option<i64>) -> Result<Option<HookPlace>, StoreError> {
    let place = |(epoch, seq)| Ok(HookPlace { epoch, seq: unsigned("number", seq)? });
    epoch.zip(seq).map(place).transpose()
}

fn time(milliseconds: Option<i64>) -> Result<Option<Timestamp>, StoreError> {
    milliseconds.map(moment).transpose()
}

pub(super) fn put(
    connection: &mut Connection,
    hook: &StoredHook,
    read: Option<u64>,
    most: usize,
) -> Result<HookWrite, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = place(&transaction, &hook.id)?.map(|(generation, _)| generation);
    if found != read {
        return Ok(HookWrite::Moved);
    }
    let count: i64 = transaction.query_row("SELECT count(*) FROM hook", [], |row| row.get(0))?;
    if found.is_none() && unsigned("count", count)? >= most as u64 {
        return Ok(HookWrite::Full);
    }
    // A hook that is removed and created again must not get the generation it had before: a delivery
    // may still be on its way.
    let next = match found {
        Some(found) => found.saturating_add(1),
        None => u64::try_from(hook.created_at.as_millisecond()).unwrap_or_default(),
    };
    let previous = hook.previous_secret.as_ref();
    transaction.execute(
        "INSERT OR REPLACE INTO hook (id, url, secret, previous_secret, previous_until, filter,
             format, created_at, generation, cursor_epoch, cursor_seq, attempts)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, '', 0, 0)",
        params![
            hook.id,
            hook.url,
            hook.secret.0,
            previous.map(|(secret, _)| &secret.0),
            previous.map(|(_, until)| until.as_millisecond()),
            hook.filter,
            hook.format,
            hook.created_at.as_millisecond(),
            signed(next),
        ],
    )?;
    put_progress(&transaction, &hook.id, &hook.progress)?;
    transaction.commit()?;
    Ok(HookWrite::Done)
}

/// The generation and the cursor of a hook.
fn place(transaction: &Transaction<'_>, id: &str) -> Result<Option<(u64, HookPlace)>, StoreError> {
    let find = "SELECT generation, cursor_epoch, cursor_seq FROM hook WHERE id = ?1";
    let found: Option<(i64, String, i64)> = transaction
        .query_row(find, [id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let read = |(generation, epoch, seq)| {
        let cursor = HookPlace { epoch, seq: unsigned("number", seq)? };
        Ok((unsigned("generation", generation)?, cursor))
    };
    found.map(read).transpose()
}

fn put_progress(
    transaction: &Transaction<'_>,
    id: &str,
    progress: &HookProgress,
) -> Result<(), StoreError> {
    let milliseconds = |time: Option<Timestamp>| time.map(Timestamp::as_millisecond);
    let pending = progress.pending.as_ref();
    let mut put = transaction.prepare_cached(
        "UPDATE hook SET cursor_epoch = ?2, cursor_seq = ?3, pending_epoch = ?4, pending_seq = ?5,
             replay_at = ?6, attempts = ?7, failing_since = ?8, next_attempt = ?9, disabled = ?10
         WHERE id = ?1",
    )?;
    put.execute(params![
        id,
        progress.cursor.epoch,
        signed(progress.cursor.seq),
        pending.map(|place| &place.epoch),
        pending.map(|place| signed(place.seq)),
        milliseconds(progress.replay_at),
        progress.attempts,
        milliseconds(progress.failing_since),
        milliseconds(progress.next_attempt),
        progress.disabled,
    ])?;
    Ok(())
}

pub(super) fn remove(connection: &mut Connection, id: &str) -> Result<bool, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let removed = transaction.execute("DELETE FROM hook WHERE id = ?1", [id])?;
    transaction.execute("DELETE FROM hook_delivery WHERE hook = ?1", [id])?;
    transaction.commit()?;
    Ok(removed > 0)
}

pub(super) fn record(
    connection: &mut Connection,
    id: &str,
    step: Option<&HookStep>,
    delivery: Option<&StoredDelivery>,
    keep: usize,
) -> Result<bool, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let Some((generation, cursor)) = place(&transaction, id)? else { return Ok(false) };
    if let Some(delivery) = delivery {
        add_delivery(&transaction, id, delivery, keep)?;
    }
    let current = step.filter(|step| step.generation == generation && step.from == cursor);
    if let Some(step) = current {
        put_progress(&transaction, id, &step.progress)?;
    }
    transaction.commit()?;
    Ok(current.is_some())
}

fn add_delivery(
    transaction: &Transaction<'_>,
    id: &str,
    delivery: &StoredDelivery,
    keep: usize,
) -> Result<(), StoreError> {
    let mut add = transaction.prepare_cached(
        "INSERT INTO hook_delivery (hook, at, message, kind, changes, status, elapsed_ms, error)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    let StoredDelivery { at, message, kind, changes, status, elapsed_ms, error } = delivery;
    let (changes, elapsed) = (signed(*changes), signed(*elapsed_ms));
    add.execute(params![id, at.as_millisecond(), message, kind, changes, status, elapsed, error])?;
    let mut prune = transaction.prepare_cached(
        "DELETE FROM hook_delivery WHERE hook = ?1 AND number <= (SELECT number FROM hook_delivery
             WHERE hook = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)",
    )?;
    prune.execute(params![id, signed(keep as u64)])?;
    Ok(())
}

/// The deliveries of a hook, newest first.
pub(super) fn deliveries(
    connection: &Connection,
    id: &str,
) -> Result<Vec<StoredDelivery>, StoreError> {
    if !has_column(connection, "hook_delivery", "message")? {
        return Ok(Vec::new());
    }
    let mut statement = connection.prepare_cached(
        "SELECT at, message, kind, changes, status, elapsed_ms, error
         FROM hook_delivery WHERE hook = ?1 ORDER BY number DESC",
    )?;
    let mut rows = statement.query([id])?;
    let mut deliveries = Vec::new();
    while let Some(row) = rows.next()? {
        deliveries.push(StoredDelivery {
            at: moment(row.get(0)?)?,
            message: row.get(1)?,
            kind: row.get(2)?,
            changes: unsigned("count", row.get(3)?)?,
            status: row.get(4)?,
            elapsed_ms: unsigned("duration", row.get(5)?)?,
            error: row.get(6)?,
        });
    }
    Ok(deliveries)
}
