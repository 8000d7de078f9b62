//! Persistent storage of the catalog: source documents, manual records, the order in which apps
//! were added, every revision, and what changed with it.
//!
//! A store is read as a whole ([`Store::load`]) and changed in one transaction
//! ([`Store::commit`]). It does not interpret the documents and records.
//!
//! ```
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use appstitch_store::{Store, StoreAddress};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let address = format!("sqlite:{}", folder.path().join("catalog.db").display());
//! let store = Store::open(&address.parse::<StoreAddress>().unwrap()).await.unwrap();
//! assert_eq!(store.load().await.unwrap().edition.number, 0);
//! # });
//! ```

/// Does the same with whichever engine a store has.
macro_rules! on_engine {
    ($store:expr, $engine:ident => $work:expr) => {
        match &$store.engine {
            crate::Engine::Sqlite($engine) => $work,
            crate::Engine::Postgres($engine) => $work,
        }
    };
}

mod address;
mod backup;
mod change;
mod contents;
mod duty;
mod edition;
mod error;
mod fail_point;
mod hook;
mod hook_store;
mod journal;
mod label_run;
mod next_version;
mod postgres;
mod schema;
mod shared_state;
mod source_state;
mod sqlite;
mod turn;
mod watch;

pub use address::StoreAddress;
pub use backup::{
    BackupError, BackupKey, BackupSummary, Restored, check_backup, is_backup, read_backup,
};
pub use change::{Change, NewRevision, ServedChange};
pub use contents::{
    Contents, Document, DocumentName, FetchedFrom, Revision, RevisionCounts, ServedApp, ServedBy,
    ServedSizes, ServedState, StoreSummary, StoredRecord,
};
pub use duty::{Duty, DutyLock};
pub(crate) use edition::REMEMBERED;
pub use edition::{Edition, Losses, LostEdition};
pub use error::StoreError;
pub use fail_point::FailPoint;
pub use hook::{
    HookPlace, HookProgress, HookStep, HookWrite, StoredDelivery, StoredHook, StoredSecret,
};
pub use journal::{
    JournalChange, JournalHead, JournalRevision, StoredChange, StoredDriftEvent, StoredJournal,
};
pub use label_run::{StoredAnswer, StoredLabelRun};
pub use next_version::NextVersion;
pub use postgres::PostgresAddress;
pub use shared_state::StoredRefresh;
pub use source_state::{SourceState, StoredSources};
pub use turn::Turn;
pub use watch::StoreWatch;

use duty::EngineLock;
use jiff::Timestamp;
use postgres::PostgresStore;
use sqlite::SqliteStore;

/// An open store.
#[derive(Debug, Clone)]
pub struct Store {
    engine: Engine,
}

/// What keeps the data. All engines have the same operations with the same results.
#[derive(Debug, Clone)]
enum Engine {
    Sqlite(SqliteStore),
    Postgres(PostgresStore),
}

impl Store {
    /// Opens the store. A missing store is created, and an older one is migrated.
    ///
    /// A store written by a newer version is rejected and not changed.
    pub async fn open(address: &StoreAddress) -> Result<Self, StoreError> {
        let engine = match address {
            StoreAddress::Sqlite(path) => Engine::Sqlite(SqliteStore::open(path.clone()).await?),
            StoreAddress::Postgres(address) => {
                Engine::Postgres(PostgresStore::open((**address).clone()).await?)
            }
        };
        Ok(Self { engine })
    }

    /// Opens an existing store read-only. Nothing is created or migrated.
    pub async fn open_to_read(address: &StoreAddress) -> Result<Self, StoreError> {
        let engine = match address {
            StoreAddress::Sqlite(path) => {
                Engine::Sqlite(SqliteStore::open_to_read(path.clone()).await?)
            }
            StoreAddress::Postgres(address) => {
                Engine::Postgres(PostgresStore::open_to_read((**address).clone()).await?)
            }
        };
        Ok(Self { engine })
    }

    /// Everything in the store, read in one transaction.
    pub async fn load(&self) -> Result<Contents, StoreError> {
        on_engine!(self, engine => engine.load().await)
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
        on_engine!(self, engine => engine.served(rules.to_owned(), uncounted, prepare, take).await)
    }

    /// What can be told without reading documents, records or apps. Documents whose key starts with
    /// `uncounted` are not counted.
    pub async fn summary(&self, uncounted: &'static str) -> Result<StoreSummary, StoreError> {
        on_engine!(self, engine => engine.summary(uncounted).await)
    }

    /// The state of the store. Every commit that changes something changes it.
    pub async fn edition(&self) -> Result<Edition, StoreError> {
        on_engine!(self, engine => engine.edition().await)
    }

    /// Writes the change in one transaction and returns the store's new edition.
    ///
    /// Fails with [`StoreError::Moved`] and changes nothing if the store is no longer at the
    /// change's base edition, and with [`StoreError::TooNew`] if a newer version has migrated it.
    pub async fn commit(&self, change: Change) -> Result<Edition, StoreError> {
        on_engine!(self, engine => engine.commit(change).await)
    }

    /// The validators of the fetched URLs.
    pub async fn fetched(&self) -> Result<Vec<FetchedFrom>, StoreError> {
        on_engine!(self, engine => engine.fetched().await)
    }

    /// Every revision, oldest first.
    pub async fn revisions(&self) -> Result<Vec<Revision>, StoreError> {
        on_engine!(self, engine => engine.revisions().await)
    }

    /// The whole journal of changes.
    pub async fn journal(&self) -> Result<StoredJournal, StoreError> {
        on_engine!(self, engine => engine.journal().await)
    }

    /// The records and the drift of the stored copy of the served catalog, by slug, whatever rules made
    /// them. The other parts of the apps are empty. `None` if there is no copy.
    pub async fn served_before(&self) -> Result<Option<(ServedBy, Vec<ServedApp>)>, StoreError> {
        on_engine!(self, engine => engine.served_before().await)
    }

    /// The last run of each label, ordered by file.
    pub async fn label_runs(&self) -> Result<Vec<StoredLabelRun>, StoreError> {
        on_engine!(self, engine => engine.label_runs().await)
    }

    /// Writes the last runs of these labels. The edition does not change.
    pub async fn put_label_runs(&self, runs: Vec<StoredLabelRun>) -> Result<(), StoreError> {
        on_engine!(self, engine => engine.put_label_runs(runs).await)
    }

    /// The answer that was kept with this key.
    pub async fn answer(&self, key: String) -> Result<Option<StoredAnswer>, StoreError> {
        on_engine!(self, engine => engine.answer(key).await)
    }

    /// Keeps new answers, and marks those with the keys in `used` as used now. The edition does not
    /// change.
    pub async fn keep_answers(
        &self,
        answers: Vec<StoredAnswer>,
        used: Vec<String>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        on_engine!(self, engine => engine.keep_answers(answers, used, now).await)
    }

    /// Removes runs and answers that were not used since a time, and then the longest unused answers
    /// until the rest has no more than `most_bytes`. The edition does not change.
    pub async fn prune_label_runs(
        &self,
        unused_since: Timestamp,
        most_bytes: u64,
    ) -> Result<(), StoreError> {
        on_engine!(self, engine => engine.prune_label_runs(unused_since, most_bytes).await)
    }

    /// Makes this process the one that does a duty. `None` if another process does.
    pub async fn lock(&self, duty: Duty) -> Result<Option<DutyLock>, StoreError> {
        let lock = match &self.engine {
            Engine::Sqlite(engine) => engine.lock(duty).await?.map(EngineLock::File),
            Engine::Postgres(engine) => engine.lock(duty).await?.map(EngineLock::Session),
        };
        Ok(lock.map(DutyLock::new))
    }

    /// Tells when other processes may have changed the store. Needs a runtime.
    #[must_use]
    pub fn watch(&self) -> StoreWatch {
        StoreWatch::new(match &self.engine {
            Engine::Sqlite(_) => None,
            Engine::Postgres(engine) => Some(engine.listen()),
        })
    }
}
