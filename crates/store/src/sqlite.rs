//! The SQLite engine: one file, one connection, one writer.
//!
//! SQLite calls block, so each runs on a blocking thread behind a lock. Requests for the catalog
//! do not use the store: they are answered from memory.

mod answers;
mod columns;
mod create;
mod dump;
mod file;
mod hooks;
mod journal;
mod journal_head;
mod label_runs;
mod lock_file;
mod migrate;
mod open;
mod read;
mod read_sources;
mod replace;
mod shared_state;
mod write;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use jiff::Timestamp;
use rusqlite::Connection;
use tokio::sync::mpsc;

use crate::{
    Change, Contents, Duty, Edition, FailPoint, FetchedFrom, HookStep, HookWrite, Losses,
    LostEdition, Revision, ServedApp, ServedBy, ServedSizes, ServedState, StoreError, StoreSummary,
    StoredAnswer, StoredDelivery, StoredHook, StoredJournal, StoredLabelRun, StoredRefresh,
    backup::Piece,
};
use file::OpenFile;
pub(crate) use lock_file::LockFile;

#[derive(Debug, Clone)]
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

    pub(crate) async fn load(&self) -> Result<Contents, StoreError> {
        self.run(|connection| {
            FailPoint::Read.reach()?;
            read::contents(connection)
        })
        .await
    }

    pub(crate) async fn served<A: Send + 'static>(
        &self,
        rules: String,
        uncounted: &'static str,
        prepare: fn(ServedSizes) -> A,
        take: fn(&mut A, ServedApp),
    ) -> Result<Option<(A, ServedState)>, StoreError> {
        self.run(move |connection| {
            FailPoint::Read.reach()?;
            read::served(connection, &rules, uncounted, prepare, take)
        })
        .await
    }

    pub(crate) async fn summary(
        &self,
        uncounted: &'static str,
    ) -> Result<StoreSummary, StoreError> {
        self.run(move |connection| read::summary(connection, uncounted)).await
    }

    pub(crate) async fn edition(&self) -> Result<Edition, StoreError> {
        let file = self.file.clone();
        self.run(move |connection| {
            // The edition of a deleted or replaced file would never change again.
            file.check()?;
            read::edition(connection)
        })
        .await
    }

    pub(crate) async fn fetched(&self) -> Result<Vec<FetchedFrom>, StoreError> {
        self.run(|connection| read::fetched(connection)).await
    }

    pub(crate) async fn revisions(&self) -> Result<Vec<Revision>, StoreError> {
        self.run(|connection| read::revisions(connection)).await
    }

    pub(crate) async fn journal(&self) -> Result<StoredJournal, StoreError> {
        self.run(journal::read).await
    }

    pub(crate) async fn served_before(
        &self,
    ) -> Result<Option<(ServedBy, Vec<ServedApp>)>, StoreError> {
        self.run(journal::served_before).await
    }

    pub(crate) async fn commit(&self, change: Change) -> Result<Edition, StoreError> {
        self.write(move |connection| write::commit(connection, &change)).await
    }

    pub(crate) async fn label_runs(&self) -> Result<Vec<StoredLabelRun>, StoreError> {
        self.run(|connection| label_runs::all(connection)).await
    }

    pub(crate) async fn put_label_runs(&self, runs: Vec<StoredLabelRun>) -> Result<(), StoreError> {
        self.write(move |connection| label_runs::put(connection, &runs)).await
    }

    pub(crate) async fn answer(&self, key: String) -> Result<Option<StoredAnswer>, StoreError> {
        self.run(|connection| answers::find(connection, key)).await
    }

    pub(crate) async fn keep_answers(
        &self,
        answers: Vec<StoredAnswer>,
        used: Vec<String>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(move |connection| answers::keep(connection, &answers, &used, now)).await
    }

    pub(crate) async fn prune_label_runs(
        &self,
        unused_since: Timestamp,
        most_bytes: u64,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            label_runs::forget_before(connection, unused_since)?;
            answers::prune(connection, unused_since, most_bytes)
        })
        .await
    }

    pub(crate) async fn hooks(&self) -> Result<Vec<StoredHook>, StoreError> {
        self.run(|connection| hooks::all(connection)).await
    }

    pub(crate) async fn put_hook(
        &self,
        hook: StoredHook,
        read: Option<u64>,
        most: usize,
    ) -> Result<HookWrite, StoreError> {
        self.write(move |connection| hooks::put(connection, &hook, read, most)).await
    }

    pub(crate) async fn remove_hook(&self, id: String) -> Result<bool, StoreError> {
        self.write(move |connection| hooks::remove(connection, &id)).await
    }

    pub(crate) async fn record_delivery(
        &self,
        id: String,
        step: Option<HookStep>,
        delivery: Option<StoredDelivery>,
        keep: usize,
    ) -> Result<bool, StoreError> {
        self.write(move |connection| {
            hooks::record(connection, &id, step.as_ref(), delivery.as_ref(), keep)
        })
        .await
    }

    pub(crate) async fn deliveries(&self, id: String) -> Result<Vec<StoredDelivery>, StoreError> {
        self.run(move |connection| hooks::deliveries(connection, &id)).await
    }

    pub(crate) async fn has_seen(&self, edition: Edition) -> Result<bool, StoreError> {
        self.run(move |connection| shared_state::has_seen(connection, &edition)).await
    }

    pub(crate) async fn note_loss(&self, lost: LostEdition) -> Result<bool, StoreError> {
        self.write(move |connection| shared_state::note_loss(connection, &lost)).await
    }

    pub(crate) async fn losses(&self) -> Result<Losses, StoreError> {
        self.run(|connection| shared_state::losses(connection)).await
    }

    pub(crate) async fn last_refresh(&self) -> Result<Option<StoredRefresh>, StoreError> {
        self.run(|connection| shared_state::last_refresh(connection)).await
    }

    pub(crate) async fn note_refresh(&self, refresh: StoredRefresh) -> Result<(), StoreError> {
        self.write(move |connection| shared_state::note_refresh(connection, &refresh)).await
    }

    pub(crate) async fn lock(&self, duty: Duty) -> Result<Option<LockFile>, StoreError> {
        let path = self.file.path().to_owned();
        blocking(move || LockFile::take(&path, duty)).await
    }

    pub(crate) async fn dump(&self, send: mpsc::Sender<Piece>) -> Result<(), StoreError> {
        self.run(move |connection| dump::dump(connection, &send)).await
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
    async fn write<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let file = self.file.clone();
        self.run(move |connection| {
            file.check()?;
            work(connection)
        })
        .await
    }

    async fn run<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let connection = Arc::clone(&self.connection);
        blocking(move || {
            // A panic under the lock rolled back its transaction while unwinding, so the
            // connection is still valid.
            let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut connection)
        })
        .await
    }
}

async fn blocking<T, W>(work: W) -> Result<T, StoreError>
where
    T: Send + 'static,
    W: FnOnce() -> Result<T, StoreError> + Send + 'static,
{
    tokio::task::spawn_blocking(work).await.map_err(|_| StoreError::WorkerGone)?
}
