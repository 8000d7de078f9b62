//! Replaces everything in a store with a backup.

use rusqlite::{
    Connection, ToSql, Transaction, TransactionBehavior,
    types::{Null, ToSqlOutput, ValueRef},
};
use tokio::sync::mpsc;

use super::{hooks, open, read, shared_state::put_edition, source_refresh};
use crate::{
    backup::{Cell, HOOK, NEWEST_APP, Piece, Row, TABLES, Table, complete_hooks},
    error::StoreError,
    fail_point::FailPoint,
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
    for table in TABLES.iter().filter(|table| table.name != NEWEST_APP) {
        transaction.execute(&format!("DELETE FROM {}", table.name), [])?;
    }
    source_refresh::forget(&transaction)?;
    transaction.execute("DELETE FROM sqlite_sequence WHERE name IN ('app', 'revision')", [])?;
    let mut without_secrets = Vec::new();
    loop {
        match receive.blocking_recv() {
            Some(Piece::Rows(table, mut rows)) => {
                if table.name == HOOK {
                    without_secrets.extend(complete_hooks(&mut rows, &existing)?);
                }
                insert(&transaction, table, &rows)?;
                FailPoint::Write.reach()?;
            }
            Some(Piece::End) => break,
            None => return Err(StoreError::Interrupted),
        }
    }
    put_edition(&transaction, &found.next()?)?;
    FailPoint::Commit.reach()?;
    transaction.commit()?;
    FailPoint::Committed.reach()?;
    Ok(without_secrets)
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
