//! Replaces everything in a store with a backup, or what is served with a copy of another store.

use rusqlite::{
    Connection, ToSql, Transaction, TransactionBehavior,
    types::{Null, ToSqlOutput, ValueRef},
};
use tokio::sync::mpsc;

use super::{hooks, open, read, shared_state::put_edition, source_refresh};
use crate::{
    backup::{COPY_RULES, Cell, Form, HOOK, NEWEST_APP, Piece, Row, Table, complete_hooks},
    edition::Edition,
    error::StoreError,
    fail_point::FailPoint,
    rows,
    source_state::Remembered,
};

/// Writes what is received in one transaction. Returns the names of the hooks without secrets. An
/// early return rolls back the transaction.
pub(super) fn replace(
    connection: &mut Connection,
    receive: &mut mpsc::Receiver<Piece>,
    replaces: bool,
) -> Result<Vec<String>, StoreError> {
    FailPoint::Begin.reach()?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    open::reject_newer(&transaction)?;
    let found = read::edition(&transaction)?;
    let existing = hooks::all(&transaction)?;
    if !replaces && (found.number > 0 || !existing.is_empty()) {
        return Err(StoreError::NotEmpty);
    }
    source_refresh::forget(&transaction)?;
    let mut without_secrets = Vec::new();
    put_rows(&transaction, receive, Form::Backup, |table, rows| {
        if table.name == HOOK {
            without_secrets.extend(complete_hooks(rows, &existing)?);
        }
        Ok(())
    })?;
    commit(transaction, &found.next()?)?;
    Ok(without_secrets)
}

/// Writes the rows of a copy in one transaction, and what is remembered with it.
pub(super) fn receive(
    connection: &mut Connection,
    pieces: &mut mpsc::Receiver<Piece>,
    base: &Edition,
    memory: &Remembered,
) -> Result<(), StoreError> {
    FailPoint::Begin.reach()?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    open::reject_newer(&transaction)?;
    let found = read::edition(&transaction)?;
    if found != *base {
        return Err(StoreError::Moved);
    }
    if transaction.query_row(rows::HAS_OWN_CATALOG, [COPY_RULES], |row| row.get(0))? {
        return Err(StoreError::OwnCatalog);
    }
    put_rows(&transaction, pieces, Form::Copy, |_, _| Ok(()))?;
    source_refresh::put_memory(&transaction, &memory.source, &memory.body)?;
    commit(transaction, &found.next()?)
}

fn put_rows(
    transaction: &Transaction<'_>,
    receive: &mut mpsc::Receiver<Piece>,
    form: Form,
    mut prepare: impl FnMut(&Table, &mut [Row]) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    for table in form.tables().filter(|table| table.name != NEWEST_APP) {
        transaction.execute(&format!("DELETE FROM {}", table.name), [])?;
    }
    transaction.execute("DELETE FROM sqlite_sequence WHERE name IN ('app', 'revision')", [])?;
    loop {
        match receive.blocking_recv() {
            Some(Piece::Rows(table, mut rows)) => {
                prepare(table, &mut rows)?;
                insert(transaction, table, &rows)?;
                FailPoint::Write.reach()?;
            }
            Some(Piece::End) => return Ok(()),
            None => return Err(StoreError::Interrupted),
        }
    }
}

fn commit(transaction: Transaction<'_>, edition: &Edition) -> Result<(), StoreError> {
    put_edition(&transaction, edition)?;
    FailPoint::Commit.reach()?;
    transaction.commit()?;
    FailPoint::Committed.reach()
}

fn insert(transaction: &Transaction<'_>, table: &Table, rows: &[Row]) -> Result<(), StoreError> {
    let positions: Vec<String> =
        (1..=table.columns.len()).map(|position| format!("?{position}")).collect();
    let statement = if table.name == NEWEST_APP {
        // Inserting apps has made a row with their highest number.
        transaction.execute("DELETE FROM sqlite_sequence WHERE name = 'app'", [])?;
        "INSERT INTO sqlite_sequence (name, seq) VALUES ('app', ?1)".to_owned()
    } else {
        format!("INSERT INTO {} ({}) VALUES ({})", table.name, table.names(), positions.join(", "))
    };
    let mut put = transaction.prepare_cached(&statement)?;
    for row in rows {
        put.execute(rusqlite::params_from_iter(row))?;
    }
    Ok(())
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Null => Null.to_sql(),
            Self::Flag(flag) => Ok(ToSqlOutput::from(i64::from(*flag))),
            Self::Number(number) => Ok(ToSqlOutput::from(*number)),
            Self::Text(text) => Ok(ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes()))),
            Self::Bytes(bytes) => Ok(ToSqlOutput::Borrowed(ValueRef::Blob(bytes))),
        }
    }
}
