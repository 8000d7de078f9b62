//! Where the catalog is kept between restarts: source documents, manual records, the
//! order in which apps came in, and every revision.
//!
//! A store is read whole ([`Store::load`]) and changed whole ([`Store::commit`]): one
//! transaction, or nothing. It knows nothing of what the documents and records mean.
//!
//! ```
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use appstitch_store::{Store, StoreAddress};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let address = format!("sqlite:{}", folder.path().join("catalog.db").display());
//! let store = Store::open(&address.parse::<StoreAddress>().unwrap()).await.unwrap();
//! assert_eq!(store.load().await.unwrap().edition, 0);
//! # });
//! ```

mod address;
mod change;
mod contents;
mod error;
mod sqlite;

pub use address::StoreAddress;
pub use change::{Change, NewRevision, ServedChange};
pub use contents::{
    Contents, Document, DocumentName, FetchedFrom, Revision, RevisionCounts, ServedApp, ServedBy,
    ServedSizes, ServedState, StoredRecord,
};
pub use error::StoreError;

use sqlite::SqliteStore;

/// An open store.
#[derive(Debug, Clone)]
pub struct Store {
    engine: SqliteStore,
}

impl Store {
    /// Opens the store, creates it where there is none, and brings an older one up to date.
    ///
    /// A store written by a newer version is refused and left as it is.
    pub async fn open(address: &StoreAddress) -> Result<Self, StoreError> {
        let StoreAddress::Sqlite(path) = address;
        let engine = SqliteStore::open(path.clone()).await?;
        Ok(Self { engine })
    }

    /// Opens a store that is there for reading alone, as it is: nothing is created or migrated.
    pub async fn open_to_read(address: &StoreAddress) -> Result<Self, StoreError> {
        let StoreAddress::Sqlite(path) = address;
        let engine = SqliteStore::open_to_read(path.clone()).await?;
        Ok(Self { engine })
    }

    /// Everything in the store, as of one moment.
    pub async fn load(&self) -> Result<Contents, StoreError> {
        self.engine.load().await
    }

    /// What is served, app by app in slug order, as it was made by the given rules for the newest
    /// revision; `None` where there is nothing of that. Each app is handed over as it is read, so that
    /// they are never in memory twice; how much there is, is told before.
    pub async fn served<A: Send + 'static>(
        &self,
        rules: &str,
        prepare: fn(ServedSizes) -> A,
        take: fn(&mut A, ServedApp),
    ) -> Result<Option<(A, ServedState)>, StoreError> {
        self.engine.served(rules.to_owned(), prepare, take).await
    }

    /// The number of writes so far; it moves with every commit.
    pub async fn edition(&self) -> Result<u64, StoreError> {
        self.engine.edition().await
    }

    /// Makes the change in one transaction and returns the store's new edition.
    ///
    /// Fails with [`StoreError::Moved`], and changes nothing, when the store is no longer at
    /// the edition the change was worked out from.
    pub async fn commit(&self, change: Change) -> Result<u64, StoreError> {
        self.engine.commit(change).await
    }

    /// The validators of the addresses that were fetched.
    pub async fn fetched(&self) -> Result<Vec<FetchedFrom>, StoreError> {
        self.engine.fetched().await
    }

    /// Every revision, oldest first.
    pub async fn revisions(&self) -> Result<Vec<Revision>, StoreError> {
        self.engine.revisions().await
    }
}
