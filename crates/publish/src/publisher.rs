//! The publisher, which owns the current snapshot and is the only writer of the next one.

mod changing;
mod following;
mod losses;
mod opening;
mod stored;

use std::sync::{
    Arc, Mutex as StdMutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use appstitch_catalog_files::Received;
use appstitch_snapshot::Snapshot;
use appstitch_store::{Contents, Edition, FailPoint, SourceRefresh, Store, StoredSources};
use arc_swap::{ArcSwap, ArcSwapOption};
use bytes::Bytes;
use jiff::Timestamp;
use tokio::sync::{Mutex, watch};

use crate::{
    background::Background, catch_up::Polls, loaded_catalog::LoadedCatalog,
    publish_error::PublishError, rules::is_copy, source_status::source_status,
    store_state::StoreState,
};

pub struct Publisher {
    store: Store,
    current: ArcSwap<Snapshot>,
    /// The state of the sources, as JSON. It moves more often than the snapshot.
    sources: ArcSwap<Bytes>,
    /// What the store says in it.
    stored_sources: StdMutex<StoredSources>,
    /// How refreshing the sources went; empty if this process does not look at it.
    refreshes: ArcSwap<Vec<SourceRefresh>>,
    /// Where the catalog comes from, if another store published it.
    received: ArcSwapOption<Received>,
    /// Whether the catalog may only come from another server.
    is_mirror: AtomicBool,
    /// The edition of the store that `current` was made from.
    edition: ArcSwap<Edition>,
    writing: Mutex<()>,
    /// Tells that another snapshot, or another state of the sources, is served.
    changed: watch::Sender<()>,
    polls: Polls,
    background: Background,
    /// The threads that load what another process published. Replicas must agree soon, even if
    /// reads keep all cores busy, so these have the usual priority. Loading is far less work than
    /// publishing.
    following: Background,
    store_state: StoreState,
}

impl Publisher {
    /// The threads for work that must not delay requests.
    #[must_use]
    pub fn background(&self) -> &Background {
        &self.background
    }

    #[must_use]
    pub fn current(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Tells whenever another revision, or another state of the sources, is served.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// The state of the sources, as the JSON of a `SourceStatusResponse`.
    #[must_use]
    pub fn source_status(&self) -> Bytes {
        Bytes::clone(&self.sources.load())
    }

    /// Where the catalog comes from, if another store published it. Then it cannot be changed here.
    #[must_use]
    pub fn received(&self) -> Option<Arc<Received>> {
        self.received.load_full()
    }

    /// Rejects every change from now on, because the catalog comes from another server. A store that has
    /// received nothing yet could be changed otherwise, and then never receive anything.
    pub fn only_mirror(&self) {
        self.is_mirror.store(true, Ordering::Relaxed);
    }

    fn rejects_changes(&self, contents: &Contents) -> bool {
        self.is_mirror.load(Ordering::Relaxed) || is_copy(contents.served_by.as_ref())
    }

    /// Shows how refreshing the sources went, beside their state.
    pub fn show_refreshes(&self, refreshes: Vec<SourceRefresh>) {
        if **self.refreshes.load() == refreshes {
            return;
        }
        self.refreshes.store(Arc::new(refreshes));
        self.show_status(None);
        self.changed.send_replace(());
    }

    /// Since when the store does not answer; `None` if it does. The served catalog does not need it.
    #[must_use]
    pub fn store_lost_at(&self) -> Option<Timestamp> {
        self.store_state.lost_at()
    }

    pub(crate) fn store_state(&self) -> &StoreState {
        &self.store_state
    }

    fn edition(&self) -> Arc<Edition> {
        self.edition.load_full()
    }

    /// Notes that this edition of the store is served completely, and notifies the waiters.
    fn reach(&self, edition: Edition) {
        self.edition.store(Arc::new(edition));
        self.changed.send_replace(());
    }

    /// Serves the loaded catalog if it differs from the current snapshot.
    fn show(&self, loaded: LoadedCatalog) -> Result<(), PublishError> {
        let LoadedCatalog { draft, revision, edition, sources, journal, copied } = loaded;
        self.received.store(copied.map(Arc::new));
        let current = self.current();
        let is_shown = current.content_hash() == draft.content_hash
            && current.revision() == revision.as_ref()
            && current.journal().ends_like(journal.head());
        if !is_shown {
            self.swap_in(draft.into_snapshot(revision)?.with_journal(journal))?;
        }
        self.show_status(Some(sources));
        self.reach(edition);
        Ok(())
    }

    /// Serves the state of the sources with the apps of the current snapshot, and `sources` if the store
    /// has others. One at a time: what is served last is made of what is newest.
    fn show_status(&self, sources: Option<StoredSources>) {
        let mut stored = self.stored_sources.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sources) = sources {
            *stored = sources;
        }
        let (refreshes, received) = (self.refreshes.load(), self.received.load());
        let status = source_status(&stored, &self.current(), &refreshes, received.as_deref());
        self.sources.store(Arc::new(status));
    }

    /// Makes a snapshot the current one. Fails only at a fail point.
    fn swap_in(&self, snapshot: Snapshot) -> Result<(), PublishError> {
        FailPoint::Swap.reach()?;
        // Before the swap: a request that finds an index half made would wait for a thread that only
        // uses idle CPU time.
        snapshot.prepare_pages();
        snapshot.prepare_like(&self.current());
        self.current.store(Arc::new(self.background.freeing(snapshot)));
        Ok(FailPoint::Swapped.reach()?)
    }
}
