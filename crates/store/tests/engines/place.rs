//! Where a store is, on one of the engines.

use appstitch_store::{Store, StoreAddress};
use tempfile::TempDir;

/// A place for one store, which is empty at first.
pub(crate) struct Place {
    pub(crate) address: StoreAddress,
    _folder: Option<TempDir>,
}

impl Place {
    /// A file.
    pub(crate) fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = StoreAddress::Sqlite(folder.path().join("catalog.db"));
        Self { address, _folder: Some(folder) }
    }

    /// A database; `None` without PostgreSQL.
    pub(crate) fn postgres() -> Option<Self> {
        let url = appstitch_cluster::database()?;
        Some(Self { address: url.parse().unwrap(), _folder: None })
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
            StoreAddress::Postgres(_) => Self::postgres().unwrap(),
        }
    }

    /// Opens the store, as a process of its own would.
    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.address).await.unwrap()
    }
}
