//! Opens the store of a command.

use std::sync::Arc;

use anyhow::Context;
use appstitch_publish::{BackgroundPriority, Publisher};
use appstitch_store::{Store, StoreAddress};

use crate::exit::Failure;

/// Opens a store. A missing one is created.
pub(crate) async fn open(address: &StoreAddress) -> Result<Store, Failure> {
    Store::open(address)
        .await
        .with_context(|| format!("cannot open {address}"))
        .map_err(Failure::unreachable)
}

/// Opens an existing store without writing to it.
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
