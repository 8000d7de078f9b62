//! Backups: everything that a store holds, in one compressed file that every engine reads and writes.
//!
//! A backup is text, packed by zstd, one JSON value per line: a header with the number of the format,
//! for each table a line with its columns and a line for each row, and a trailer with the SHA-256 of
//! all lines before it. Rows are ordered and have nothing of an engine in them, so the same contents
//! give the same bytes. The edition of a store is not part of it: it counts the writes of one store.
//!
//! Rows are read and written in batches, on two threads that wait for each other, so that neither a
//! store nor a file is ever in memory as a whole. What is received last is [`Piece::End`]: without it,
//! neither a file nor a store is complete.

mod cell;
mod consistency;
mod error;
mod hook_rows;
mod lines;
mod read;
mod row;
mod seal;
mod summary;
mod table;
mod write;

pub use error::BackupError;
pub use seal::BackupKey;
pub use summary::BackupSummary;

pub(crate) use cell::{Cell, Row};
pub(crate) use hook_rows::complete as complete_hooks;
pub(crate) use table::{HOOK, Kind, NEWEST_APP, TABLES, Table};

use std::{
    io::{Read, Write},
    sync::Arc,
};

use tokio::sync::mpsc;

use crate::error::StoreError;

const FORMAT: &str = "appstitch backup";

const FORMAT_VERSION: u32 = 1;

/// The most bytes of a row in a file. It is in memory as a whole.
const MOST_ROW_BYTES: usize = 256 << 20;

/// The bytes and rows after which a batch is complete.
const BATCH_BYTES: usize = 1 << 20;
const BATCH_ROWS: usize = 1000;

/// How many batches wait for the other thread.
const WAITING: usize = 4;

/// A part of a backup on its way from or to a store.
#[derive(Debug)]
pub(crate) enum Piece {
    /// Rows of a table. The tables come in their order.
    Rows(&'static Table, Vec<Row>),
    /// Everything was sent, and it is whole.
    End,
}

/// Where the parts of a backup are sent. The receiver may have stopped.
#[derive(Debug)]
pub struct PieceSender(mpsc::Sender<Piece>);

impl PieceSender {
    pub(crate) async fn send(&self, piece: impl Into<Option<Piece>>) -> Result<(), StoreError> {
        match piece.into() {
            Some(piece) => self.0.send(piece).await.map_err(|_| StoreError::Interrupted),
            None => Ok(()),
        }
    }

    pub(crate) fn blocking_send(&self, piece: impl Into<Option<Piece>>) -> Result<(), StoreError> {
        match piece.into() {
            Some(piece) => self.0.blocking_send(piece).map_err(|_| StoreError::Interrupted),
            None => Ok(()),
        }
    }
}

/// Collects rows of one table.
pub(crate) struct Batch {
    table: &'static Table,
    rows: Vec<Row>,
    bytes: usize,
}

impl Batch {
    pub(crate) fn new(table: &'static Table) -> Self {
        Self { table, rows: Vec::new(), bytes: 0 }
    }

    /// Adds a row. Returns what is to be sent, once it is enough.
    pub(crate) fn push(&mut self, row: Row) -> Option<Piece> {
        self.bytes += row.iter().map(Cell::size).sum::<usize>();
        self.rows.push(row);
        if self.bytes < BATCH_BYTES && self.rows.len() < BATCH_ROWS { None } else { self.rest() }
    }

    pub(crate) fn rest(&mut self) -> Option<Piece> {
        self.bytes = 0;
        let rows = std::mem::take(&mut self.rows);
        (!rows.is_empty()).then_some(Piece::Rows(self.table, rows))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    pub backup: BackupSummary,
    /// The names of the webhooks that are without their secrets. They are disabled.
    pub hooks_without_secrets: Vec<String>,
}

/// Whether a file begins like a backup. The rest of it is not read.
#[must_use]
pub fn is_backup(file: impl Read) -> bool {
    read::begins(file).is_ok()
}

/// Reads a whole backup and checks it, on this thread.
pub fn read_backup(file: impl Read, key: Option<&BackupKey>) -> Result<BackupSummary, BackupError> {
    read::read(file, key, |_| Ok(()))
}

/// Reads a whole backup and checks it. Nothing is changed.
pub async fn check_backup(
    file: impl Read + Send + 'static,
    key: Option<Arc<BackupKey>>,
) -> Result<BackupSummary, BackupError> {
    let reading = tokio::task::spawn_blocking(move || read_backup(file, key.as_deref()));
    reading.await.map_err(|_| StoreError::WorkerGone)?
}

/// Packs the rows that `dump` sends.
pub(crate) async fn pack<W: Write + Send + 'static, F>(
    output: W,
    key: Option<Arc<BackupKey>>,
    dump: impl FnOnce(PieceSender) -> F,
) -> Result<(W, BackupSummary), BackupError>
where
    F: Future<Output = Result<(), StoreError>>,
{
    let (send, receive) = mpsc::channel(WAITING);
    let writing =
        tokio::task::spawn_blocking(move || write::write(receive, output, key.as_deref()));
    let read = dump(PieceSender(send)).await;
    match (read, writing.await.map_err(|_| StoreError::WorkerGone)?) {
        // If the rows end too early, the sender has the reason.
        (Err(error), Ok(_) | Err(BackupError::Incomplete)) => Err(error.into()),
        (_, written) => written,
    }
}

/// Lets `restore` write the rows of a file. It returns the names of the webhooks without their secrets.
pub(crate) async fn unpack<F>(
    file: impl Read + Send + 'static,
    key: Option<Arc<BackupKey>>,
    restore: impl FnOnce(mpsc::Receiver<Piece>) -> F,
) -> Result<Restored, BackupError>
where
    F: Future<Output = Result<Vec<String>, StoreError>>,
{
    let (send, receive) = mpsc::channel(WAITING);
    let send = PieceSender(send);
    let reading = tokio::task::spawn_blocking(move || {
        read::read(file, key.as_deref(), |piece| Ok(send.blocking_send(piece)?))
    });
    let written = restore(receive).await;
    match (written, reading.await.map_err(|_| StoreError::WorkerGone)?) {
        (Ok(hooks_without_secrets), Ok(backup)) => Ok(Restored { backup, hooks_without_secrets }),
        // If the pieces end too early, the sender has the reason. Nothing is committed before the
        // last piece, after which nothing fails.
        (Err(StoreError::Interrupted) | Ok(_), Err(error)) => Err(error),
        (Err(error), _) => Err(error.into()),
    }
}
