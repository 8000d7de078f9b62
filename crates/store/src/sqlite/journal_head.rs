//! Where the journal of changes begins and ends.

use rusqlite::{Connection, OptionalExtension};

use super::columns::{has_column, time, unsigned};
use crate::{JournalHead, StoreError};

/// Where the journal begins and ends. A store that is not migrated has none: it begins now.
pub(super) fn journal_head(connection: &Connection) -> Result<JournalHead, StoreError> {
    if !has_column(connection, "journal", "epoch")? {
        let newest = "SELECT changed_at FROM revision ORDER BY number DESC LIMIT 1";
        let newest: Option<String> =
            connection.query_row(newest, [], |row| row.get(0)).optional()?;
        let floor_at = newest.as_deref().map(time).transpose()?;
        return Ok(JournalHead { floor_at, ..JournalHead::default() });
    }
    let row = "SELECT epoch, newest, floor, floor_at FROM journal";
    let (epoch, newest, floor, floor_at) = connection.query_row(row, [], |row| {
        let numbers: (i64, i64) = (row.get(1)?, row.get(2)?);
        Ok((row.get(0)?, numbers.0, numbers.1, row.get::<_, Option<String>>(3)?))
    })?;
    Ok(JournalHead {
        epoch,
        newest: unsigned("number of a change", newest)?,
        floor: unsigned("number of a change", floor)?,
        floor_at: floor_at.as_deref().map(time).transpose()?,
    })
}
