//! The values of a SQLite row, and which columns there are.

use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension, Params, Row};

use crate::{columns::Columns, error::StoreError};

impl Columns for Row<'_> {
    fn text(&self, column: usize) -> Result<String, StoreError> {
        Ok(self.get(column)?)
    }

    fn optional_text(&self, column: usize) -> Result<Option<String>, StoreError> {
        Ok(self.get(column)?)
    }

    fn bytes(&self, column: usize) -> Result<Bytes, StoreError> {
        Ok(self.get::<_, Vec<u8>>(column)?.into())
    }

    fn optional_bytes(&self, column: usize) -> Result<Option<Bytes>, StoreError> {
        Ok(self.get::<_, Option<Vec<u8>>>(column)?.map(Bytes::from))
    }

    fn number(&self, column: usize) -> Result<i64, StoreError> {
        Ok(self.get(column)?)
    }

    fn optional_number(&self, column: usize) -> Result<Option<i64>, StoreError> {
        Ok(self.get(column)?)
    }

    fn flag(&self, column: usize) -> Result<bool, StoreError> {
        Ok(self.get(column)?)
    }
}

pub(super) fn each<T: FromIterator<V>, V>(
    connection: &Connection,
    query: &str,
    parameters: impl Params,
    read: impl Fn(&Row<'_>) -> Result<V, StoreError>,
) -> Result<T, StoreError> {
    let mut statement = connection.prepare_cached(query)?;
    statement.query_and_then(parameters, read)?.collect()
}

/// Reads the only row; `None` if there is none.
pub(super) fn optional<V>(
    connection: &Connection,
    query: &str,
    parameters: impl Params,
    read: impl Fn(&Row<'_>) -> Result<V, StoreError>,
) -> Result<Option<V>, StoreError> {
    let mut statement = connection.prepare_cached(query)?;
    statement.query_and_then(parameters, read)?.next().transpose()
}

/// Whether a table has a column. A store opened read-only is not migrated, so both may be missing.
pub(super) fn has_column(
    connection: &Connection,
    table: &str,
    column: &str,
) -> Result<bool, StoreError> {
    let find = "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2";
    Ok(connection.query_row(find, [table, column], |_| Ok(())).optional()?.is_some())
}
