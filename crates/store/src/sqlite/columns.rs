//! Reads single values: which columns there are, times and counts.

use jiff::Timestamp;
use rusqlite::Connection;

use crate::StoreError;

/// Whether a table has a column. A store opened read-only is not migrated, so both may be missing.
pub(super) fn has_column(
    connection: &Connection,
    table: &str,
    column: &str,
) -> Result<bool, StoreError> {
    let found = "SELECT count(*) FROM pragma_table_info(?1) WHERE name = ?2";
    let count: i64 = connection.query_row(found, [table, column], |row| row.get(0))?;
    Ok(count > 0)
}

pub(super) fn time(text: &str) -> Result<Timestamp, StoreError> {
    text.parse().map_err(|_| StoreError::Unreadable { what: "time", value: text.to_owned() })
}

/// SQLite integers are signed; stored numbers must not be negative.
pub(super) fn unsigned(what: &'static str, number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| StoreError::Unreadable { what, value: number.to_string() })
}

/// Numbers are far below `i64::MAX`, so the fallback is never used.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A time in milliseconds since 1970.
pub(super) fn moment(milliseconds: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(milliseconds)
        .map_err(|_| StoreError::Unreadable { what: "time", value: milliseconds.to_string() })
}
