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
