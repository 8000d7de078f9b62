//! Reads every table for a backup.

use bytes::Bytes;
use rusqlite::{Connection, Row as SqliteRow, types::ValueRef};

use super::open;
use crate::{
    backup::{Batch, Cell, Form, Kind, NEWEST_APP, Piece, PieceSender, Row, Table},
    error::StoreError,
};

/// Sends every row as it is at one moment. Other processes can write meanwhile.
pub(super) fn dump(
    connection: &mut Connection,
    send: &PieceSender,
    form: Form,
) -> Result<(), StoreError> {
    // The first statement fixes the moment.
    let transaction = connection.transaction()?;
    open::reject_older(&transaction)?;
    for table in form.tables() {
        let mut statement = transaction.prepare(&query(table))?;
        let mut rows = statement.query([])?;
        let mut batch = Batch::new(table);
        while let Some(row) = rows.next()? {
            send.blocking_send(batch.push(read(table, row)?))?;
        }
        send.blocking_send(batch.rest())?;
    }
    send.blocking_send(Piece::End)
}

fn query(table: &Table) -> String {
    if table.name == NEWEST_APP {
        return "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'app'), 0)"
            .to_owned();
    }
    format!("SELECT {} FROM {} ORDER BY {}", table.names(), table.name, table.order)
}

fn read(table: &Table, row: &SqliteRow<'_>) -> Result<Row, StoreError> {
    let cells = table.columns.iter().enumerate().map(|(position, column)| {
        let cell = match row.get_ref(position)? {
            ValueRef::Integer(number) if column.kind == Kind::Flag => Cell::Flag(number != 0),
            ValueRef::Integer(number) => Cell::Number(number),
            ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Cell::Bytes(Bytes::copy_from_slice(bytes)),
            ValueRef::Null | ValueRef::Real(_) => Cell::Null,
        };
        table.checked(column, cell)
    });
    cells.collect()
}
