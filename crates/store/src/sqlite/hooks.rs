//! Webhooks and their deliveries.

use jiff::Timestamp;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::columns::{each, has_column, optional};
use crate::{
    columns::signed,
    error::StoreError,
    hook::{HookProgress, HookStep, HookWrite, JournalPosition, StoredDelivery, StoredHook},
    rows,
};

pub(super) fn all(connection: &Connection) -> Result<Vec<StoredHook>, StoreError> {
    if !has_column(connection, "hook", "generation")? {
        return Ok(Vec::new());
    }
    each(connection, rows::HOOKS, [], |row| rows::hook(row))
}

pub(super) fn put(
    connection: &mut Connection,
    hook: &StoredHook,
    read: Option<u64>,
    most: usize,
) -> Result<HookWrite, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = cursor(&transaction, &hook.id)?.map(|(generation, _)| generation);
    if found != read {
        return Ok(HookWrite::Moved);
    }
    let count: i64 = transaction.query_row("SELECT count(*) FROM hook", [], |row| row.get(0))?;
    if found.is_none() && count >= signed(most as u64) {
        return Ok(HookWrite::Full);
    }
    let next = hook.next_generation(found);
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

fn cursor(
    transaction: &Transaction<'_>,
    id: &str,
) -> Result<Option<(u64, JournalPosition)>, StoreError> {
    let query = "SELECT generation, cursor_epoch, cursor_seq FROM hook WHERE id = ?1";
    optional(transaction, query, [id], |row| rows::hook_cursor(row))
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
        pending.map(|position| &position.epoch),
        pending.map(|position| signed(position.seq)),
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
    let Some((generation, cursor)) = cursor(&transaction, id)? else { return Ok(false) };
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
    let query = "SELECT at, message, kind, changes, status, elapsed_ms, error
         FROM hook_delivery WHERE hook = ?1 ORDER BY number DESC";
    each(connection, query, [id], |row| rows::delivery(row))
}
