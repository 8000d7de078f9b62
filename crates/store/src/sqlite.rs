//! The SQLite engine: one file, one connection, one writer.
//!
//! SQLite calls block, so each runs on a blocking thread behind a lock. Requests for the catalog
//! do not use the store: they are answered from memory.

mod columns;
mod create;
mod dump;
mod file;
mod hooks;
mod journal;
mod label_runs;
mod lock_file;
mod migrate;
mod open;
mod read;
mod replace;
mod responses;
mod shared_state;
mod source_refresh;
mod write;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use rusqlite::Connection;
use tokio::sync::mpsc;

use crate::{
    backup::{Form, Piece, PieceReceiver, PieceSender},
    change::Change,
    contents::{Contents, FetchedFrom, Revision, ServedApp, ServedBy, ServedState, StoreSummary},
    duty::{Duty, DutyLock},
    edition::{Edition, Losses, LostEdition},
    engine::{Engine, ServedPart, StoreFuture},
    error::StoreError,
    fail_point::FailPoint,
    hook::{HookStep, HookWrite, StoredDelivery, StoredHook},
    journal::StoredJournal,
    label_run::{StoredLabelRun, StoredResponse},
    source_state::{Remembered, SourceRefresh, StoredRefresh},
    watch::StoreWatch,
};
use file::OpenFile;
use lock_file::LockFile;

/// How often a file is to be looked at. Nothing announces a change to it.
const LOOK: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(crate) struct SqliteStore {
    connection: Arc<Mutex<Connection>>,
    file: OpenFile,
}

impl SqliteStore {
    pub(crate) async fn open(path: PathBuf) -> Result<Self, StoreError> {
        Self::open_with(path, open::open).await
    }

    pub(crate) async fn open_to_read(path: PathBuf) -> Result<Self, StoreError> {
        Self::open_with(path, open::open_to_read).await
    }

    async fn open_with(
        path: PathBuf,
        open: fn(&Path) -> Result<Connection, StoreError>,
    ) -> Result<Self, StoreError> {
        blocking(move || {
            let connection = Arc::new(Mutex::new(open(&path)?));
            Ok(Self { connection, file: OpenFile::new(path)? })
        })
        .await
    }

    /// Writes a backup to a store, which is created if it is missing.
    pub(crate) async fn restore(
        path: PathBuf,
        mut receive: mpsc::Receiver<Piece>,
        replaces: bool,
    ) -> Result<Vec<String>, StoreError> {
        blocking(move || {
            let mut without_secrets = None;
            let is_created = open::create_with(&path, |connection| {
                without_secrets = Some(replace::replace(connection, &mut receive, replaces)?);
                Ok(())
            })?;
            match without_secrets {
                Some(without_secrets) if is_created => Ok(without_secrets),
                // Another process created a store meanwhile. The pieces are used up.
                Some(_) => Err(StoreError::NotEmpty),
                None => replace::replace(&mut open::open(&path)?, &mut receive, replaces),
            }
        })
        .await
    }

    /// Runs work that writes, unless the file is gone.
    fn write<T, W>(&self, work: W) -> StoreFuture<'_, T>
    where
        T: Send + 'static,
        W: FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let file = self.file.clone();
        self.run(move |connection| {
            file.check()?;
            work(connection)
        })
    }

    fn run<T, W>(&self, work: W) -> StoreFuture<'_, T>
    where
        T: Send + 'static,
        W: FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let connection = Arc::clone(&self.connection);
        Box::pin(blocking(move || {
            // A panic under the lock rolled back its transaction while unwinding, so the
            // connection is still valid.
            let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut connection)
        }))
    }
}

impl Engine for SqliteStore {
    fn load(&self) -> StoreFuture<'_, Contents> {
        self.run(|connection| {
            FailPoint::Read.reach()?;
            read::contents(connection)
        })
    }

    fn read_served(
        &self,
        rules: String,
        uncounted: &'static str,
        take: Box<dyn FnMut(ServedPart) + Send>,
    ) -> StoreFuture<'_, Option<ServedState>> {
        self.run(move |connection| {
            FailPoint::Read.reach()?;
            read::served(connection, &rules, uncounted, take)
        })
    }

    fn summary(&self, uncounted: &'static str) -> StoreFuture<'_, StoreSummary> {
        self.run(move |connection| read::summary(connection, uncounted))
    }

    fn edition(&self) -> StoreFuture<'_, Edition> {
        let file = self.file.clone();
        self.run(move |connection| {
            // The edition of a deleted or replaced file would never change again.
            file.check()?;
            read::edition(connection)
        })
    }

    fn fetched(&self) -> StoreFuture<'_, Vec<FetchedFrom>> {
        self.run(|connection| read::fetched(connection))
    }

    fn revisions(&self) -> StoreFuture<'_, Vec<Revision>> {
        self.run(|connection| read::revisions(connection))
    }

    fn journal(&self) -> StoreFuture<'_, StoredJournal> {
        self.run(journal::read)
    }

    fn served_before(&self) -> StoreFuture<'_, Option<(ServedBy, Vec<ServedApp>)>> {
        self.run(read::served_before)
    }

    fn commit(&self, change: Change) -> StoreFuture<'_, Edition> {
        self.write(move |connection| write::commit(connection, &change))
    }

    fn label_runs(&self) -> StoreFuture<'_, Vec<StoredLabelRun>> {
        self.run(|connection| label_runs::all(connection))
    }

    fn put_label_runs(&self, runs: Vec<StoredLabelRun>) -> StoreFuture<'_, ()> {
        self.write(move |connection| label_runs::put(connection, &runs))
    }

    fn response(&self, key: String) -> StoreFuture<'_, Option<StoredResponse>> {
        self.run(|connection| responses::find(connection, key))
    }

    fn put_responses(
        &self,
        responses: Vec<StoredResponse>,
        used: Vec<String>,
        now: Timestamp,
    ) -> StoreFuture<'_, ()> {
        self.write(move |connection| responses::keep(connection, &responses, &used, now))
    }

    fn prune_label_runs(&self, unused_since: Timestamp, most_bytes: u64) -> StoreFuture<'_, ()> {
        self.write(move |connection| {
            label_runs::forget_before(connection, unused_since)?;
            responses::prune(connection, unused_since, most_bytes)
        })
    }

    fn hooks(&self) -> StoreFuture<'_, Vec<StoredHook>> {
        self.run(|connection| hooks::all(connection))
    }

    fn put_hook(
        &self,
        hook: StoredHook,
        read: Option<u64>,
        most: usize,
    ) -> StoreFuture<'_, HookWrite> {
        self.write(move |connection| hooks::put(connection, &hook, read, most))
    }

    fn remove_hook(&self, id: String) -> StoreFuture<'_, bool> {
        self.write(move |connection| hooks::remove(connection, &id))
    }

    fn record_delivery(
        &self,
        id: String,
        step: Option<HookStep>,
        delivery: Option<StoredDelivery>,
        keep: usize,
    ) -> StoreFuture<'_, bool> {
        self.write(move |connection| {
            hooks::record(connection, &id, step.as_ref(), delivery.as_ref(), keep)
        })
    }

    fn deliveries(&self, id: String) -> StoreFuture<'_, Vec<StoredDelivery>> {
        self.run(move |connection| hooks::deliveries(connection, &id))
    }

    fn has_seen(&self, edition: Edition) -> StoreFuture<'_, bool> {
        self.run(move |connection| shared_state::has_seen(connection, &edition))
    }

    fn note_loss(&self, lost: LostEdition) -> StoreFuture<'_, bool> {
        self.write(move |connection| shared_state::note_loss(connection, &lost))
    }

    fn losses(&self) -> StoreFuture<'_, Losses> {
        self.run(|connection| shared_state::losses(connection))
    }

    fn last_refresh(&self) -> StoreFuture<'_, Option<StoredRefresh>> {
        self.run(|connection| shared_state::last_refresh(connection))
    }

    fn note_refresh(&self, refresh: StoredRefresh) -> StoreFuture<'_, ()> {
        self.write(move |connection| shared_state::note_refresh(connection, &refresh))
    }

    fn source_refreshes(&self) -> StoreFuture<'_, Vec<SourceRefresh>> {
        self.run(|connection| source_refresh::all(connection))
    }

    fn put_source_refreshes(&self, refreshes: Vec<SourceRefresh>) -> StoreFuture<'_, ()> {
        self.write(move |connection| source_refresh::put(connection, &refreshes))
    }

    fn refresh_memory(&self, source: String) -> StoreFuture<'_, Option<String>> {
        self.run(move |connection| source_refresh::memory(connection, &source))
    }

    fn put_refresh_memory(&self, source: String, body: String) -> StoreFuture<'_, ()> {
        self.write(move |connection| source_refresh::put_memory(connection, &source, &body))
    }

    fn lock(&self, duty: Duty) -> StoreFuture<'_, Option<DutyLock>> {
        let path = self.file.path().to_owned();
        Box::pin(async move {
            let lock = blocking(move || LockFile::take(&path, duty)).await?;
            Ok(lock.map(DutyLock::new))
        })
    }

    fn watch(&self) -> StoreWatch {
        StoreWatch::polling(LOOK)
    }

    fn dump(&self, send: PieceSender, form: Form) -> StoreFuture<'_, ()> {
        self.run(move |connection| dump::dump(connection, &send, form))
    }

    fn receive(
        &self,
        mut pieces: PieceReceiver,
        base: Edition,
        memory: Remembered,
    ) -> StoreFuture<'_, ()> {
        self.write(move |connection| replace::receive(connection, &mut pieces.0, &base, &memory))
    }
}

async fn blocking<T, W>(work: W) -> Result<T, StoreError>
where
    T: Send + 'static,
    W: FnOnce() -> Result<T, StoreError> + Send + 'static,
{
    tokio::task::spawn_blocking(work).await.map_err(|_| StoreError::WorkerGone)?
}
