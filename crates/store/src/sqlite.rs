//! The embedded engine: one SQLite file, one connection, one writer.
//!
//! SQLite calls block, so each runs on a blocking thread behind a lock. Reads of the catalog
//! never come here (they answer from memory), so the lock is held by uploads alone.

mod open;
mod read;
mod write;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use rusqlite::Connection;

use crate::{Change, Contents, Revision, StoreError};

#[derive(Debug, Clone)]
pub(crate) struct SqliteStore {
    connection: Arc<Mutex<Connection>>,
}

impl SqliteStore {
    pub(crate) async fn open(path: PathBuf) -> Result<Self, StoreError> {
        let connection = blocking(move || open::open(&path)).await?;
        Ok(Self { connection: Arc::new(Mutex::new(connection)) })
    }

    pub(crate) async fn load(&self) -> Result<Contents, StoreError> {
        self.run(read::contents).await
    }

    pub(crate) async fn edition(&self) -> Result<u64, StoreError> {
        self.run(|connection| read::edition(connection)).await
    }

    pub(crate) async fn revisions(&self) -> Result<Vec<Revision>, StoreError> {
        self.run(|connection| read::revisions(connection)).await
    }

    pub(crate) async fn commit(&self, change: Change) -> Result<u64, StoreError> {
        self.run(move |connection| write::commit(connection, &change)).await
    }

    async fn run<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let connection = Arc::clone(&self.connection);
        blocking(move || {
            // A panic under the lock rolled its transaction back when it unwound, so the
            // connection is sound.
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
