//! Where a store is, on one of the engines.

use appstitch_store::{Store, StoreAddress};
use tempfile::TempDir;

/// A place for one store, which is empty at first.
pub(crate) struct TestStore {
    pub(crate) address: StoreAddress,
    _folder: Option<TempDir>,
}

impl TestStore {
    /// A file.
    pub(crate) fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = StoreAddress::Sqlite(folder.path().join("catalog.db"));
        Self { address, _folder: Some(folder) }
    }

    /// A database.
    pub(crate) fn postgres() -> Self {
        Self { address: appstitch_cluster::database().parse().unwrap(), _folder: None }
    }

    /// The name of the engine.
    pub(crate) fn engine(&self) -> &'static str {
        match self.address {
            StoreAddress::Sqlite(_) => "SQLite",
            StoreAddress::Postgres(_) => "PostgreSQL",
        }
    }

    /// Another place on the same engine.
    pub(crate) fn another(&self) -> Self {
        match self.address {
            StoreAddress::Sqlite(_) => Self::sqlite(),
            StoreAddress::Postgres(_) => Self::postgres(),
        }
    }

    /// Opens the store, as a process of its own would.
    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.address).await.unwrap()
    }
}
