//! How refreshing each source went, and what fetching them remembers.

use jiff::Timestamp;
use rusqlite::{Connection, TransactionBehavior, params};

use super::columns::{each, has_column, optional};
use crate::{columns::signed, error::StoreError, rows, source_state::SourceRefresh};

pub(super) fn all(connection: &Connection) -> Result<Vec<SourceRefresh>, StoreError> {
    if !has_column(connection, "source_refresh", "tried_at")? {
        return Ok(Vec::new());
    }
    each(connection, rows::SOURCE_REFRESHES, [], |row| rows::source_refresh(row))
}

pub(super) fn put(
    connection: &mut Connection,
    refreshes: &[SourceRefresh],
) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut put = transaction.prepare(
        "INSERT OR REPLACE INTO source_refresh
             (source, tried_at, succeeded_at, next_at, failures, why, entries, rejected, rejects)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    for refresh in refreshes {
        put.execute(params![
            refresh.source,
            refresh.tried_at.as_millisecond(),
            refresh.succeeded_at.map(Timestamp::as_millisecond),
            refresh.next_at.as_millisecond(),
            signed(refresh.failures),
            refresh.why,
            refresh.entries.map(signed),
            refresh.rejected.map(signed),
            refresh.rejects,
        ])?;
    }
    drop(put);
    Ok(transaction.commit()?)
}

pub(super) fn memory(connection: &Connection, source: &str) -> Result<Option<String>, StoreError> {
    if !has_column(connection, "refresh_memory", "body")? {
        return Ok(None);
    }
    let find = "SELECT body FROM refresh_memory WHERE source = ?1";
    optional(connection, find, [source], |row| Ok(row.get(0)?))
}

pub(super) fn put_memory(
    connection: &Connection,
    source: &str,
    body: &str,
) -> Result<(), StoreError> {
    let put = "INSERT OR REPLACE INTO refresh_memory (source, body) VALUES (?1, ?2)";
    connection.execute(put, [source, body])?;
    Ok(())
}

/// They do not describe the contents of a backup.
pub(super) fn forget(connection: &Connection) -> Result<(), StoreError> {
    connection.execute("DELETE FROM source_refresh", [])?;
    connection.execute("DELETE FROM refresh_memory", [])?;
    Ok(())
}
