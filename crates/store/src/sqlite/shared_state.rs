//! State that processes with one store share besides the catalog.

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::{
    columns::{has_column, optional},
    open, read,
};
use crate::{
    columns::signed,
    edition::{Edition, Losses, LostEdition, REMEMBERED},
    error::StoreError,
    fail_point::FailPoint,
    rows,
    source_state::StoredRefresh,
};

/// Writes the next edition and its mark.
pub(super) fn put_edition(connection: &Connection, edition: &Edition) -> Result<(), StoreError> {
    let number = signed(edition.number);
    connection.execute("UPDATE edition SET number = ?1", [number])?;
    let put = "INSERT OR REPLACE INTO written (edition, mark) VALUES (?1, ?2)";
    connection.execute(put, params![number, edition.mark])?;
    let forgotten = signed(edition.number.saturating_sub(REMEMBERED));
    connection.execute("DELETE FROM written WHERE edition <= ?1", [forgotten])?;
    Ok(())
}

pub(super) fn has_seen(connection: &mut Connection, edition: &Edition) -> Result<bool, StoreError> {
    if edition.mark.is_empty() || !has_column(connection, "written", "mark")? {
        return Ok(true);
    }
    let transaction = connection.transaction()?;
    let number = signed(edition.number);
    let oldest: Option<i64> =
        transaction.query_row("SELECT min(edition) FROM written", [], |row| row.get(0))?;
    if oldest.is_some_and(|oldest| number < oldest) {
        return Ok(true);
    }
    let find = "SELECT 1 FROM written WHERE edition = ?1 AND mark = ?2";
    Ok(transaction.query_row(find, params![number, edition.mark], |_| Ok(())).optional()?.is_some())
}

pub(super) fn note_loss(
    connection: &mut Connection,
    lost: &LostEdition,
) -> Result<bool, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    open::reject_newer(&transaction)?;
    let note = "INSERT OR IGNORE INTO lost_edition (mark, edition, found_at) VALUES (?1, ?2, ?3)";
    let LostEdition { edition, epoch, newest, found_at } = lost;
    let noted = transaction
        .execute(note, params![edition.mark, signed(edition.number), found_at.as_millisecond()])?;
    if noted == 0 {
        return Ok(false);
    }
    let skip = "UPDATE journal SET newest = max(newest, ?1) WHERE epoch = ?2";
    transaction.execute(skip, params![signed(*newest), epoch])?;
    transaction.execute(
        "UPDATE hook SET cursor_epoch = '', cursor_seq = 0, pending_epoch = NULL,
             pending_seq = NULL, generation = generation + 1",
        [],
    )?;
    put_edition(&transaction, &read::edition(&transaction)?.next()?)?;
    FailPoint::Commit.reach()?;
    transaction.commit()?;
    Ok(true)
}

pub(super) fn losses(connection: &Connection) -> Result<Losses, StoreError> {
    if !has_column(connection, "lost_edition", "found_at")? {
        return Ok(Losses::default());
    }
    connection.query_row_and_then(rows::LOSSES, [], |row| rows::losses(row))
}

pub(super) fn last_refresh(connection: &Connection) -> Result<Option<StoredRefresh>, StoreError> {
    if !has_column(connection, "refresh_state", "result")? {
        return Ok(None);
    }
    optional(connection, rows::LAST_REFRESH, [], |row| rows::refresh(row))
}

pub(super) fn note_refresh(
    connection: &Connection,
    refresh: &StoredRefresh,
) -> Result<(), StoreError> {
    let StoredRefresh { ended_at, result, why } = refresh;
    connection.execute(
        "INSERT OR REPLACE INTO refresh_state (only_row, ended_at, result, why)
         VALUES (1, ?1, ?2, ?3)",
        params![ended_at.as_millisecond(), result, why],
    )?;
    Ok(())
}
