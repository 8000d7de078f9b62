//! Reads every table for a backup.

use bytes::Bytes;
use rusqlite::{Connection, Row as SqliteRow, types::ValueRef};
use tokio::sync::mpsc;

use super::open;
use crate::{
    StoreError,
    backup::{Batch, Cell, Kind, NEWEST_APP, Piece, Row, TABLES, Table},
};

/// Sends every row as it is at one moment. Other processes can write meanwhile.
pub(super) fn dump(
    connection: &mut Connection,
    send: &mpsc::Sender<Piece>,
) -> Result<(), StoreError> {
    // The first statement fixes the moment.
    let transaction = connection.transaction()?;
    open::refuse_older(&transaction)?;
    let deliver = |piece: Option<Piece>| match piece {
        Some(piece) => send.blocking_send(piece).map_err(|_| StoreError::Interrupted),
        None => Ok(()),
    };
    for table in TABLES {
        let mut statement = transaction.prepare(&query(table))?;
        let mut rows = statement.query([])?;
        let mut batch = Batch::new(table);
        while let Some(row) = rows.next()? {
            deliver(batch.push(read(table, row)?))?;
        }
        deliver(batch.rest())?;
    }
    deliver(Some(Piece::End))
}

fn query(table: &Table) -> String {
    if table.name == NEWEST_APP {
        return "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'app'), 0)"
            .to_owned();
    }
    format!("SELECT {} FROM {} ORDER BY {}", table.names(), table.name, table.order)
}

fn read(table: &Table, row: &SqliteRow<'_>) -> Result<Row, StoreError> {
    let cells = table.columns.iter().enumerate().map(|(place, column)| {
        let cell = match row.get_ref(place)? {
            ValueRef::Integer(number) if column.kind == Kind::Flag => Cell::Flag(number != 0),
            ValueRef::Integer(number) => Cell::Number(number),
            ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Cell::Bytes(Bytes::copy_from_slice(bytes)),
            ValueRef::Null | ValueRef::Real(_) => Cell::Null,
        };
        // What cannot be restored must not be in a backup.
        let invalid = |why: &str| StoreError::Unreadable {
            what: "value",
            value: format!("{}.{}: {why}", table.name, column.name),
        };
        column.check(&cell).map_err(invalid)?;
        Ok(cell)
    });
    cells.collect()
}
