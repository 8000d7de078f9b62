//! Serving a store from the start.

use std::sync::{Arc, Mutex as StdMutex, atomic::AtomicBool};

use appstitch_snapshot::PublishedRevision;
use appstitch_store::{Store, StoreError};
use arc_swap::{ArcSwap, ArcSwapOption};
use tokio::sync::{Mutex, watch};

use super::Publisher;
use crate::{
    background::{Background, BackgroundPriority, blocking},
    catch_up::Polls,
    journal::{LastServed, read_journal},
    loaded_catalog::{ATTEMPTS, LoadedCatalog},
    plan::{Plan, Upgrade},
    publish_error::PublishError,
    rules::{is_copy, is_published_by_newer},
    source_status::{source_status, sources_of},
    store_state::StoreState,
};

impl Publisher {
    /// Serves the contents of a store. Publishes a new revision if this version of the program
    /// makes different bytes from them than the last one, unless that was a newer one.
    pub async fn open(store: Store, priority: BackgroundPriority) -> Result<Self, PublishError> {
        let loaded = Self::load_or_upgrade(&store).await?;
        let publisher = Self::show_first(store, loaded, priority)?;
        publisher.store_state.show_losses(publisher.store.losses().await?);
        publisher.current().prepare_pages();
        Ok(publisher)
    }

    async fn load_or_upgrade(store: &Store) -> Result<LoadedCatalog, PublishError> {
        let mut attempt = 1;
        loop {
            if let Some(kept) = LoadedCatalog::kept(store).await? {
                return Ok(kept);
            }
            let contents = Arc::new(store.load().await?);
            if is_copy(contents.served_by.as_ref()) {
                return LoadedCatalog::of(store).await;
            }
            if is_published_by_newer(contents.served_by.as_ref()) {
                tracing::warn!(
                    "a newer version publishes this store; serving it without changing it"
                );
                return LoadedCatalog::of(store).await;
            }
            let Some(journal) = read_journal(store, &contents.edition).await? else {
                // Another process wrote between the two reads.
                if attempt == ATTEMPTS {
                    return Err(StoreError::Moved.into());
                }
                attempt += 1;
                continue;
            };
            let last_served = LastServed::of(store, &contents, None).await?;
            let Upgrade { draft, change, journal } = {
                let contents = Arc::clone(&contents);
                blocking(move || Plan::for_upgrade(&contents, &last_served, journal)).await?
            };
            let mut revision = contents.revision.clone().map(PublishedRevision::from);
            if let Some(new) = &change.revision {
                revision = Some(new.into());
                tracing::info!(
                    token = new.token,
                    "publishing a new revision: this version serves different bytes"
                );
            }
            let edition = match store.commit(change).await {
                Err(StoreError::Moved) if attempt < ATTEMPTS => {
                    attempt += 1;
                    continue;
                }
                result => result?,
            };
            let sources = sources_of(&contents);
            return Ok(LoadedCatalog { draft, revision, edition, sources, journal, copied: None });
        }
    }

    /// Serves the contents of a store without writing to it, even if this version of the program
    /// makes different bytes from them.
    pub async fn open_to_read(store: Store) -> Result<Self, PublishError> {
        let loaded = LoadedCatalog::of(&store).await?;
        // Nothing is published, so the background threads only free old snapshots.
        Self::show_first(store, loaded, BackgroundPriority::Idle)
    }

    fn show_first(
        store: Store,
        loaded: LoadedCatalog,
        priority: BackgroundPriority,
    ) -> Result<Self, PublishError> {
        let start = |priority| Background::start(priority).map_err(|_| PublishError::WorkerGone);
        let (background, following) = (start(priority)?, start(BackgroundPriority::Normal)?);
        let snapshot = loaded.draft.into_snapshot(loaded.revision)?.with_journal(loaded.journal);
        let snapshot = background.freeing(snapshot);
        let received = loaded.copied.map(Arc::new);
        let status = source_status(&loaded.sources, &snapshot, &[], received.as_deref());
        Ok(Self {
            store,
            sources: ArcSwap::from_pointee(status),
            stored_sources: StdMutex::new(loaded.sources),
            received: ArcSwapOption::new(received),
            refreshes: ArcSwap::default(),
            is_mirror: AtomicBool::default(),
            current: ArcSwap::from_pointee(snapshot),
            edition: ArcSwap::from_pointee(loaded.edition),
            writing: Mutex::new(()),
            changed: watch::Sender::new(()),
            polls: Polls::default(),
            background,
            following,
            store_state: StoreState::default(),
        })
    }
}
