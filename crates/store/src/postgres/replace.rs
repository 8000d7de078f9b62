//! Replaces everything in a store with a backup, or what is served with a copy of another store.

use std::{borrow::Cow, sync::Arc, time::Duration};

use tokio::sync::mpsc;
use tokio_postgres::{Client, Transaction, types::ToSql};

use super::{
    commit::{COMMITTING, announce, find_out, lock},
    failure::within,
    hooks, open,
    pool::Pool,
    source_refresh,
    text::written,
};
use crate::{
    backup::{COPY_RULES, Cell, Form, HOOK, Kind, NEWEST_APP, Piece, Row, Table, complete_hooks},
    edition::Edition,
    error::StoreError,
    fail_point::FailPoint,
    rows,
    source_state::Remembered,
};

/// How long the rows of a backup may take.
pub(super) const WRITING: Duration = Duration::from_hours(1);

/// Writes what is received in one transaction. Returns the names of the hooks without secrets.
pub(super) async fn replace(
    pool: &Arc<Pool>,
    mut receive: mpsc::Receiver<Piece>,
    replaces: bool,
) -> Result<Vec<String>, StoreError> {
    transact(pool, async |transaction, found| {
        // Those who write these tables do not lock the edition. Readers are not kept waiting.
        let locks =
            "LOCK TABLE hook, hook_delivery, label_run, answer, source_refresh, refresh_memory
            IN EXCLUSIVE MODE";
        transaction.batch_execute(locks).await?;
        let existing = hooks::all(transaction).await?;
        if !replaces && (found.number > 0 || !existing.is_empty()) {
            return Err(StoreError::NotEmpty);
        }
        source_refresh::forget(transaction).await?;
        let mut without_secrets = Vec::new();
        put_rows(transaction, &mut receive, Form::Backup, |table, rows| {
            if table.name == HOOK {
                without_secrets.extend(complete_hooks(rows, &existing)?);
            }
            Ok(())
        })
        .await?;
        Ok(without_secrets)
    })
    .await
}

/// Writes the rows of a copy in one transaction, and what is remembered with it.
pub(super) async fn receive(
    pool: &Arc<Pool>,
    mut pieces: mpsc::Receiver<Piece>,
    base: Edition,
    memory: Remembered,
) -> Result<(), StoreError> {
    transact(pool, async |transaction, found| {
        if *found != base {
            return Err(StoreError::Moved);
        }
        let has_own = transaction.query_one(rows::HAS_OWN_CATALOG, &[&COPY_RULES]).await?;
        if has_own.try_get(0)? {
            return Err(StoreError::OwnCatalog);
        }
        put_rows(transaction, &mut pieces, Form::Copy, |_, _| Ok(())).await?;
        source_refresh::put_memory(transaction, &memory.source, &memory.body).await
    })
    .await
}

/// Does work in one transaction that locks the edition, and commits it.
async fn transact<T>(
    pool: &Arc<Pool>,
    work: impl AsyncFnOnce(&Transaction<'_>, &Edition) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    FailPoint::Begin.reach()?;
    let mut client = pool.lease().await?;
    let (edition, done, lost) = within(WRITING, try_transact(&mut client, work)).await?;
    match lost {
        None => client.give_back(),
        Some(error) => {
            drop(client);
            find_out(pool, edition, error).await?;
        }
    }
    FailPoint::Committed.reach()?;
    Ok(done)
}

/// Everything up to the commit. The error that is returned with the edition is that of the commit,
/// which may have been made nevertheless.
async fn try_transact<T>(
    client: &mut Client,
    work: impl AsyncFnOnce(&Transaction<'_>, &Edition) -> Result<T, StoreError>,
) -> Result<(Edition, T, Option<StoreError>), StoreError> {
    let is_migrated = open::is_newest(client).await?;
    let transaction = client.transaction().await?;
    if !is_migrated {
        // In the same transaction, so that a crash does not leave an empty store.
        open::apply(&transaction).await?;
    }
    open::hold_schema(&transaction).await?;
    let found = lock(&transaction).await?;
    let timeouts = "SET LOCAL statement_timeout = '1h';
        SET LOCAL idle_in_transaction_session_timeout = '60s'";
    transaction.batch_execute(timeouts).await?;
    let done = work(&transaction, &found).await?;
    let edition = found.next()?;
    announce(&transaction, &edition).await?;
    FailPoint::Commit.reach()?;
    let lost = within(COMMITTING, transaction.commit()).await.err();
    Ok((edition, done, lost))
}

async fn put_rows(
    transaction: &Transaction<'_>,
    receive: &mut mpsc::Receiver<Piece>,
    form: Form,
    mut prepare: impl FnMut(&Table, &mut [Row]) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    for table in form.tables().filter(|table| table.name != NEWEST_APP) {
        transaction.execute(&format!("DELETE FROM {}", table.name), &[]).await?;
    }
    loop {
        match receive.recv().await {
            Some(Piece::Rows(table, mut rows)) => {
                prepare(table, &mut rows)?;
                insert(transaction, table, &rows).await?;
                FailPoint::Write.reach()?;
            }
            Some(Piece::End) => return Ok(()),
            None => return Err(StoreError::Interrupted),
        }
    }
}

async fn insert(
    transaction: &Transaction<'_>,
    table: &Table,
    rows: &[Row],
) -> Result<(), StoreError> {
    let columns: Vec<Box<dyn ToSql + Sync + Send + '_>> = table
        .columns
        .iter()
        .enumerate()
        .map(|(position, column)| values(rows, position, column.kind))
        .collect();
    let columns: Vec<&(dyn ToSql + Sync)> =
        columns.iter().map(|column| &**column as &(dyn ToSql + Sync)).collect();
    let statement = transaction.prepare(&statement(table)).await?;
    transaction.execute(&statement, &columns).await?;
    Ok(())
}

fn statement(table: &Table) -> String {
    if table.name == NEWEST_APP {
        return "UPDATE edition SET newest_app = greatest(
                (SELECT max(number) FROM unnest($1::int8[]) AS given (number)),
                (SELECT coalesce(max(number), 0) FROM app))"
            .to_owned();
    }
    let arrays = (1..).zip(table.columns).map(|(position, column)| {
        let kind = match column.kind {
            Kind::Text | Kind::Time => "text",
            Kind::Bytes => "bytea",
            Kind::Count | Kind::Small | Kind::Moment => "int8",
            Kind::Flag => "bool",
        };
        format!("${position}::{kind}[]")
    });
    let arrays: Vec<String> = arrays.collect();
    let (name, columns) = (table.name, table.names());
    format!("INSERT INTO {name} ({columns}) SELECT * FROM unnest({})", arrays.join(", "))
}

fn values(rows: &[Row], position: usize, kind: Kind) -> Box<dyn ToSql + Sync + Send + '_> {
    let cells = rows.iter().map(move |row| &row[position]);
    match kind {
        Kind::Text | Kind::Time => {
            let texts: Vec<Option<Cow<'_, str>>> =
                cells.map(|cell| cell.text().map(written)).collect();
            Box::new(texts)
        }
        Kind::Bytes => {
            let bytes = cells.map(|cell| match cell {
                Cell::Bytes(bytes) => Some(&bytes[..]),
                _ => None,
            });
            Box::new(bytes.collect::<Vec<Option<&[u8]>>>())
        }
        Kind::Count | Kind::Small | Kind::Moment => {
            let numbers = cells.map(|cell| match cell {
                Cell::Number(number) => Some(*number),
                _ => None,
            });
            Box::new(numbers.collect::<Vec<Option<i64>>>())
        }
        Kind::Flag => {
            let flags = cells.map(|cell| match cell {
                Cell::Flag(flag) => Some(*flag),
                _ => None,
            });
            Box::new(flags.collect::<Vec<Option<bool>>>())
        }
    }
}
