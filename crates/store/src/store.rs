//! An open store, whatever engine keeps its data.

use std::{
    io::{Read, Write},
    ops::Deref,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    address::StoreAddress,
    backup,
    backup::{BackupError, BackupKey, BackupSummary, Form, Restored, StoreCopy},
    contents::{ServedApp, ServedSizes, ServedState},
    edition::Edition,
    engine::{Engine, ServedPart},
    error::StoreError,
    postgres::PostgresStore,
    source_state::Remembered,
    sqlite::SqliteStore,
};

/// An open store. It is a shared handle of its [`Engine`], whose operations it has.
#[derive(Debug, Clone)]
pub struct Store {
    engine: Arc<dyn Engine>,
}

impl Deref for Store {
    type Target = dyn Engine;

    fn deref(&self) -> &Self::Target {
        &*self.engine
    }
}

impl Store {
    /// Opens the store. A missing store is created, and an older one is migrated.
    ///
    /// A store written by a newer version is rejected and not changed.
    pub async fn open(address: &StoreAddress) -> Result<Self, StoreError> {
        let engine: Arc<dyn Engine> = match address {
            StoreAddress::Sqlite(path) => Arc::new(SqliteStore::open(path.clone()).await?),
            StoreAddress::Postgres(address) => {
                Arc::new(PostgresStore::open((**address).clone()).await?)
            }
        };
        Ok(Self { engine })
    }

    /// Opens an existing store read-only. Nothing is created or migrated.
    pub async fn open_to_read(address: &StoreAddress) -> Result<Self, StoreError> {
        let engine: Arc<dyn Engine> = match address {
            StoreAddress::Sqlite(path) => Arc::new(SqliteStore::open_to_read(path.clone()).await?),
            StoreAddress::Postgres(address) => {
                Arc::new(PostgresStore::open_to_read((**address).clone()).await?)
            }
        };
        Ok(Self { engine })
    }

    /// The served apps in slug order, as made by the given rules for the newest revision. `None` if
    /// the store has no such apps. `prepare` gets the sizes first. `take` then gets each app as it
    /// is read, so that no app is in memory twice. Documents whose key starts with `uncounted` are
    /// not counted.
    pub async fn served<A: Send + 'static>(
        &self,
        rules: &str,
        uncounted: &'static str,
        prepare: fn(ServedSizes) -> A,
        take: fn(&mut A, ServedApp),
    ) -> Result<Option<(A, ServedState)>, StoreError> {
        let collected = Arc::new(Mutex::new(None));
        let collect = Arc::clone(&collected);
        let take_part = move |part| {
            let mut apps = collect.lock().unwrap_or_else(PoisonError::into_inner);
            match part {
                ServedPart::Sizes(sizes) => *apps = Some(prepare(sizes)),
                ServedPart::App(app) => {
                    if let Some(apps) = &mut *apps {
                        take(apps, app);
                    }
                }
            }
        };
        let state =
            self.engine.read_served(rules.to_owned(), uncounted, Box::new(take_part)).await?;
        let apps = collected.lock().unwrap_or_else(PoisonError::into_inner).take();
        Ok(apps.zip(state))
    }

    /// Writes everything that the store holds, as it is at one moment. Writers are not kept waiting.
    /// With a key, the secrets of webhooks are sealed with it; without one, they are left out.
    ///
    /// A store of an older schema is not migrated: it is an error.
    pub async fn backup<W: Write + Send + 'static>(
        &self,
        output: W,
        key: Option<Arc<BackupKey>>,
    ) -> Result<(W, BackupSummary), BackupError> {
        backup::pack(output, key, |send| self.engine.dump(send, Form::Backup)).await
    }

    /// A copy of what is served. Writers are not kept waiting.
    pub async fn copy(&self) -> Result<StoreCopy, BackupError> {
        backup::copy(|send| self.engine.dump(send, Form::Copy)).await
    }

    /// Replaces what is served with a copy of another store, and remembers what goes with it, in one
    /// transaction. The store must be empty, or a copy already, and still at `base`; webhooks stay.
    pub async fn receive(
        &self,
        copy: Vec<u8>,
        base: Edition,
        memory: Remembered,
    ) -> Result<BackupSummary, BackupError> {
        backup::take(copy, |pieces| self.engine.receive(pieces, base, memory)).await
    }

    /// Replaces everything that a store holds with a backup, in one transaction. A store that is not
    /// empty is only replaced if `replaces` is set. A missing store is created with the backup in it, or
    /// not at all, and an older one is migrated.
    ///
    /// The edition grows, so that processes with the same store notice it. A webhook that the store has
    /// already keeps its secrets, unless the backup has them.
    pub async fn restore(
        address: &StoreAddress,
        file: impl Read + Send + 'static,
        key: Option<Arc<BackupKey>>,
        replaces: bool,
    ) -> Result<Restored, BackupError> {
        backup::unpack(file, key, |receive| async move {
            match address {
                StoreAddress::Sqlite(path) => {
                    SqliteStore::restore(path.clone(), receive, replaces).await
                }
                StoreAddress::Postgres(address) => {
                    PostgresStore::restore((**address).clone(), receive, replaces).await
                }
            }
        })
        .await
    }
}
