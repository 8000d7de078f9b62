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
mod form;
mod hook_rows;
mod lines;
mod read;
mod row;
mod seal;
mod summary;
mod table;
mod write;

pub use error::BackupError;
pub use form::COPY_RULES;
pub(crate) use form::Form;
pub use seal::BackupKey;
pub use summary::BackupSummary;

pub(crate) use cell::{Cell, Row};
pub(crate) use hook_rows::complete as complete_hooks;
pub(crate) use table::{HOOK, Kind, NEWEST_APP, SERVED, Table};

use std::{
    io::{Read, Write},
    sync::Arc,
};

use lines::Lines;
use tokio::sync::mpsc;

use crate::{contents::ServedApp, error::StoreError};

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

/// The parts of a copy, for the engine that writes them.
#[derive(Debug)]
pub struct PieceReceiver(pub(crate) mpsc::Receiver<Piece>);

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
    read::read(Lines::packed(file)?, Form::Backup, key, |_| Ok(()))
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
    let writing = tokio::task::spawn_blocking(move || write::pack(receive, output, key.as_deref()));
    let read = dump(PieceSender(send)).await;
    first_cause(read, writing.await.map_err(|_| StoreError::WorkerGone)?)
}

/// A copy of what is served: the same bytes for the same revision in every store.
#[derive(Debug, Clone)]
pub struct StoreCopy {
    /// The token of its revision; `None` if nothing was published.
    pub revision: Option<String>,
    pub text: Vec<u8>,
}

/// Writes a copy of the rows that `dump` sends.
pub(crate) async fn copy<F>(dump: impl FnOnce(PieceSender) -> F) -> Result<StoreCopy, BackupError>
where
    F: Future<Output = Result<(), StoreError>>,
{
    let (send, receive) = mpsc::channel(WAITING);
    let writing =
        tokio::task::spawn_blocking(move || write::write(receive, Form::Copy, Vec::new(), None));
    let read = dump(PieceSender(send)).await;
    let written = writing.await.map_err(|_| StoreError::WorkerGone)?;
    let (text, summary) = first_cause(read, written)?;
    Ok(StoreCopy { revision: summary.revision, text })
}

/// If the rows end too early, their sender has the reason.
fn first_cause<T>(
    read: Result<(), StoreError>,
    written: Result<T, BackupError>,
) -> Result<T, BackupError> {
    match (read, written) {
        (Err(error), Ok(_) | Err(BackupError::Incomplete)) => Err(error.into()),
        (_, written) => written,
    }
}

/// Reads a copy of somebody else and checks it. Nothing is changed. `can_serve` says whether this program can
/// serve an app: a newer one may write what this one does not know.
pub fn check_copy(
    text: &[u8],
    mut can_serve: impl FnMut(ServedApp) -> bool,
) -> Result<BackupSummary, BackupError> {
    read::read(Lines::plain(text), Form::Copy, None, |piece| {
        let Piece::Rows(table, rows) = piece else { return Ok(()) };
        for row in rows.into_iter().filter(|_| table.name == SERVED) {
            let slug = row.first().and_then(Cell::text).unwrap_or_default().to_owned();
            if !served_app(row).is_some_and(&mut can_serve) {
                return Err(BackupError::Unknown { slug });
            }
        }
        Ok(())
    })
}

fn served_app(row: Row) -> Option<ServedApp> {
    let [
        Cell::Text(slug),
        Cell::Bytes(app),
        Cell::Bytes(sources),
        Cell::Bytes(provenance),
        drift,
        Cell::Bytes(notes),
    ] = <[Cell; 6]>::try_from(row).ok()?
    else {
        return None;
    };
    let drift = if let Cell::Bytes(drift) = drift { Some(drift) } else { None };
    Some(ServedApp { slug, app, sources, provenance, drift, notes })
}

/// Lets `receive` write the rows of a copy.
pub(crate) async fn take<F>(
    text: Vec<u8>,
    receive: impl FnOnce(PieceReceiver) -> F,
) -> Result<BackupSummary, BackupError>
where
    F: Future<Output = Result<(), StoreError>>,
{
    let read = move |send: PieceSender| {
        read::read(Lines::plain(&text), Form::Copy, None, |piece| Ok(send.blocking_send(piece)?))
    };
    let (summary, ()) = hand_over(read, |pieces| receive(PieceReceiver(pieces))).await?;
    Ok(summary)
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
    let read = move |send: PieceSender| {
        let take = |piece| Ok(send.blocking_send(piece)?);
        read::read(Lines::packed(file)?, Form::Backup, key.as_deref(), take)
    };
    let (backup, hooks_without_secrets) = hand_over(read, restore).await?;
    Ok(Restored { backup, hooks_without_secrets })
}

/// Reads on a thread of its own, and writes what was read.
async fn hand_over<T, F>(
    read: impl FnOnce(PieceSender) -> Result<BackupSummary, BackupError> + Send + 'static,
    write: impl FnOnce(mpsc::Receiver<Piece>) -> F,
) -> Result<(BackupSummary, T), BackupError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    let (send, receive) = mpsc::channel(WAITING);
    let reading = tokio::task::spawn_blocking(move || read(PieceSender(send)));
    let written = write(receive).await;
    match (written, reading.await.map_err(|_| StoreError::WorkerGone)?) {
        (Ok(written), Ok(summary)) => Ok((summary, written)),
        // If the pieces end too early, the sender has the reason. Nothing is committed before the
        // last piece, after which nothing fails.
        (Err(StoreError::Interrupted) | Ok(_), Err(error)) => Err(error),
        (Err(error), _) => Err(error.into()),
    }
}
