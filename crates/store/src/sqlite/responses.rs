//! Answers of web servers, kept for conditional requests.

use jiff::Timestamp;
use rusqlite::{Connection, TransactionBehavior, params};

use super::columns::{has_column, optional};
use crate::{columns::Columns, error::StoreError, label_run::StoredResponse, rows};

pub(super) fn find(
    connection: &Connection,
    key: String,
) -> Result<Option<StoredResponse>, StoreError> {
    if !has_column(connection, "answer", "body")? {
        return Ok(None);
    }
    let query = "SELECT key, address, etag, last_modified, status, fetched_at, headers, body
         FROM answer WHERE key = ?1";
    optional(connection, query, [key], |row| rows::response(row))
}

/// Writes new answers, and marks those with the given keys as used.
pub(super) fn keep(
    connection: &mut Connection,
    responses: &[StoredResponse],
    used: &[String],
    now: Timestamp,
) -> Result<(), StoreError> {
    let now = now.as_millisecond();
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    {
        let mut put = transaction.prepare_cached(
            "INSERT OR REPLACE INTO answer (key, address, etag, last_modified, status, fetched_at,
                 used_at, size, headers, body)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?;
        for response in responses {
            let size = response.headers.len() + response.body.len();
            put.execute(params![
                response.key,
                response.address,
                response.etag,
                response.last_modified,
                response.status,
                response.fetched_at.as_millisecond(),
                now,
                i64::try_from(size).unwrap_or(i64::MAX),
                response.headers,
                &response.body[..],
            ])?;
        }
        let mut mark =
            transaction.prepare_cached("UPDATE answer SET used_at = ?2 WHERE key = ?1")?;
        for key in used {
            mark.execute(params![key, now])?;
        }
    }
    Ok(transaction.commit()?)
}

/// Removes answers that were not used since a time, and then the longest unused ones until the rest
/// has no more than `most_bytes`.
pub(super) fn prune(
    connection: &mut Connection,
    unused_since: Timestamp,
    most_bytes: u64,
) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction
        .execute("DELETE FROM answer WHERE used_at < ?1", [unused_since.as_millisecond()])?;
    let mut too_many = Vec::new();
    {
        let mut newest_first =
            transaction.prepare("SELECT key, size FROM answer ORDER BY used_at DESC, key")?;
        let mut rows = newest_first.query([])?;
        let mut total: u64 = 0;
        while let Some(row) = rows.next()? {
            total = total.saturating_add(row.count("size", 1)?);
            if total > most_bytes {
                too_many.push(row.text(0)?);
            }
        }
        let mut remove = transaction.prepare("DELETE FROM answer WHERE key = ?1")?;
        for key in &too_many {
            remove.execute([key])?;
        }
    }
    Ok(transaction.commit()?)
}
