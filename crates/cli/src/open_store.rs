//! Opens the store of a command.

use std::sync::Arc;

use anyhow::Context;
use appstitch_publish::{BackgroundPriority, Publisher};
use appstitch_store::{Store, StoreAddress, StoreError};

use crate::{exit::Failure, folder};

/// Opens a store. A missing one is created.
pub(crate) async fn open(address: &StoreAddress) -> Result<Store, Failure> {
    Store::open(address).await.map_err(|error| Failure::unreachable(cannot_open(address, error)))
}

/// Why a store cannot be opened. If the cause is the folder of its file, the error names the folder.
pub(crate) fn cannot_open(address: &StoreAddress, error: StoreError) -> anyhow::Error {
    let folder = match address {
        // SQLite creates more files next to that of the store.
        StoreAddress::Sqlite(file) => folder::problem(folder::of(file)),
        StoreAddress::Postgres(_) => None,
    };
    folder
        .map_or_else(|| error.into(), anyhow::Error::msg)
        .context(format!("cannot open {address}"))
}

pub(crate) async fn open_to_read(address: &StoreAddress) -> Result<Store, Failure> {
    Store::open_to_read(address)
        .await
        .with_context(|| format!("cannot open {address}"))
        .map_err(Failure::unreachable)
}

/// The only writer of a store's catalog.
pub(crate) async fn publisher(
    store: Store,
    priority: BackgroundPriority,
) -> Result<Arc<Publisher>, Failure> {
    Ok(Arc::new(Publisher::open(store, priority).await.map_err(Failure::unreachable)?))
}

/// The catalog of an existing store, which is never changed.
pub(crate) async fn reader(address: &StoreAddress) -> Result<Arc<Publisher>, Failure> {
    let store = Store::open_to_read(address)
        .await
        .with_context(|| format!("cannot read {address}"))
        .map_err(|error| {
            Failure::unreachable(error)
                .hint("create it with `appstitch refresh` or `appstitch serve`, or pass --server")
        })?;
    let publisher = Publisher::open_to_read(store).await;
    let publisher = publisher.with_context(|| format!("cannot read {address}"));
    Ok(Arc::new(publisher.map_err(Failure::unreachable)?))
}
