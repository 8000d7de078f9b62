//! The publisher, which owns the current snapshot and is the only writer of the next one.

mod losses;

use std::{
    sync::{
        Arc, Mutex as StdMutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use appstitch_catalog_files::Received;
use appstitch_snapshot::{PublishedRevision, Snapshot};
use appstitch_sources::RESOLUTION;
use appstitch_stitching::{LabelDocument, LeftOut};
use appstitch_store::{
    COPY_RULES, Contents, Document, Edition, FailPoint, FetchedFrom, SourceRefresh, Store,
    StoreError, StoreWatch, StoredSources,
};
use arc_swap::{ArcSwap, ArcSwapOption};
use bytes::Bytes;
use jiff::Timestamp;
use tokio::sync::{Mutex, watch};

use crate::{
    assemble::{decode, stitched_documents},
    background::{Background, BackgroundPriority, blocking},
    catch_up::Polls,
    change::CatalogChange,
    journal::{LastServed, read_journal},
    loaded_catalog::{ATTEMPTS, LoadedCatalog, is_loaded, read_received},
    origin::stitched,
    plan::{NextCatalog, Plan, Upgrade},
    preview::ChangePreview,
    publish_error::PublishError,
    published::Published,
    resolved_labels::{ResolvedLines, ResolvedReport, label_documents},
    rules::{is_copy, is_published_by_newer, rules},
    source_status::{source_status, sources_of},
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

    /// A copy of the store, if it keeps what this snapshot serves; `None` if another version of the program
    /// publishes it.
    pub async fn copy_of(&self, snapshot: &Snapshot) -> Result<Option<Vec<u8>>, PublishError> {
        let copy = self.store.copy().await?;
        if copy.revision.as_deref() == Some(snapshot.token()) {
            return Ok(Some(copy.text));
        }
        let summary = self.store.summary(RESOLUTION).await?;
        let made_by = summary.served_by.map(|made_by| made_by.rules);
        let is_shown_soon =
            made_by.is_some_and(|made_by| [rules(), COPY_RULES].contains(&&*made_by));
        if is_shown_soon { Err(StoreError::Moved.into()) } else { Ok(None) }
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

    /// What a change would do to the served catalog. Nothing is changed.
    pub async fn preview_change(
        &self,
        change: CatalogChange,
    ) -> Result<ChangePreview, PublishError> {
        let contents = Arc::new(self.store.load().await?);
        if self.rejects_changes(&contents) {
            return Err(PublishError::Mirror);
        }
        let current = self.current();
        let last_served = LastServed::of(&self.store, &contents, Some(&current)).await?;
        blocking(move || {
            let plan = Plan::work_out(&contents, &change, &current, &last_served)?;
            Ok(ChangePreview::of(plan))
        })
        .await
    }

    /// Publishes a change completely or not at all.
    ///
    /// The work continues even if the caller stops waiting for it.
    pub async fn publish(
        self: &Arc<Self>,
        change: CatalogChange,
    ) -> Result<Published, PublishError> {
        let publisher = Arc::clone(self);
        let work = self.background.spawn(async move {
            let published = publisher.publish_here(Arc::new(change)).await;
            if let Ok(published) = &published
                && published.changed
            {
                let Published { token, total, added, updated, removed, .. } = published;
                tracing::info!(token, total, added, updated, removed, "published a revision");
            }
            published
        });
        work.await.map_err(|_| PublishError::WorkerGone)?
    }

    async fn publish_here(&self, change: Arc<CatalogChange>) -> Result<Published, PublishError> {
        let _writing = self.writing.lock().await;
        let permit = self.store.publish_permit().await;
        let published = self.attempts(change).await;
        permit.release().await;
        published
    }

    async fn attempts(&self, change: Arc<CatalogChange>) -> Result<Published, PublishError> {
        let mut attempt = 1;
        loop {
            // Boxed, because the states of everything that it may wait for are large.
            match Box::pin(self.attempt(Arc::clone(&change))).await {
                Err(PublishError::Store(StoreError::Moved)) if attempt < ATTEMPTS => {
                    // The other process may write again, so wait a little longer each time.
                    tokio::time::sleep(Duration::from_millis(5) * attempt).await;
                    attempt += 1;
                }
                result => return result,
            }
        }
    }

    async fn attempt(&self, change: Arc<CatalogChange>) -> Result<Published, PublishError> {
        let contents = Arc::new(self.store.load().await?);
        if self.rejects_changes(&contents) {
            return Err(PublishError::Mirror);
        }
        // The commit fails if a newer version takes over after this.
        if is_published_by_newer(contents.served_by.as_ref()) {
            return Err(PublishError::Outdated);
        }
        let (revision, served_by) = (contents.revision.as_ref(), contents.served_by.as_ref());
        let is_current = || is_loaded(&self.current(), revision, served_by, &contents.journal);
        if contents.edition != *self.edition() {
            if self.notices_loss().await? {
                self.show_after_loss().await?;
                return Err(StoreError::Moved.into());
            }
            if !is_current() {
                let loaded = LoadedCatalog::stitched(&self.store, Arc::clone(&contents)).await?;
                self.show(loaded.ok_or(StoreError::Moved)?)?;
            }
        }
        let current = self.current();
        let last_served = LastServed::of(&self.store, &contents, Some(&current)).await?;
        let Plan { change, next, sources, resolved } =
            blocking(move || Plan::work_out(&contents, &change, &current, &last_served)).await?;
        let revision = change.revision.as_ref().map(PublishedRevision::from);
        if revision.as_ref().is_some_and(|new| self.current().journal().has_revision(&new.token)) {
            // The catalog is again what it was in this second. A token must not come back: histories
            // and feeds have the same entity tag, and more in them.
            tokio::time::sleep(until_next_second()).await;
            return Err(StoreError::Moved.into());
        }
        let mut published = Published {
            token: self.current().token().to_owned(),
            changed: revision.is_some(),
            total: self.current().stats().total_apps,
            added: 0,
            updated: 0,
            removed: 0,
            resolved,
            left_out: LeftOut::default(),
        };
        let mut snapshot = None;
        if let Some(NextCatalog { draft, difference, left_out, journal }) = next {
            published.left_out = left_out;
            published.total = draft.counts.total_apps;
            published.added = difference.added;
            published.updated = difference.updated;
            published.removed = difference.removed;
            if let Some(revision) = revision {
                published.token.clone_from(&revision.token);
                snapshot = Some(draft.into_snapshot(Some(revision))?.with_journal(journal));
            }
        }
        // Everything that can fail is done before the commit: what is committed is also served.
        let edition = self.store.commit(change).await?;
        if let Some(snapshot) = snapshot {
            self.swap_in(snapshot)?;
        }
        self.show_status(Some(sources));
        self.reach(edition);
        Ok(published)
    }

    /// The validators of the URLs whose files were read by this build. Another build may read
    /// different documents from the same file, so it has to fetch the file again.
    pub async fn fetched(&self) -> Result<Vec<FetchedFrom>, PublishError> {
        let mut fetched = self.store.fetched().await?;
        fetched.retain(|row| row.reader == rules());
        Ok(fetched)
    }

    /// The stitched documents of one source.
    pub async fn documents(&self, source: &'static str) -> Result<Vec<Document>, PublishError> {
        let contents = self.store.load().await?;
        let documents = contents.documents.iter().filter(|document| document.source == source);
        Ok(stitched(documents).cloned().collect())
    }

    /// The stored documents of the labels with everything that was found by running them.
    pub async fn label_documents(&self) -> Result<Vec<Document>, PublishError> {
        let contents = self.store.load().await?;
        Ok(label_documents(&contents.documents).cloned().collect())
    }

    /// What would become of resolved labels. Nothing is changed.
    pub async fn preview(&self, lines: ResolvedLines) -> Result<ResolvedReport, PublishError> {
        let contents = self.store.load().await?;
        blocking(move || Ok(lines.report(&contents.documents))).await
    }

    /// The decoded labels in the store.
    pub async fn labels(&self) -> Result<Vec<LabelDocument>, PublishError> {
        let contents = self.store.load().await?;
        blocking(move || Ok(decode(stitched_documents(&contents.documents)).labels)).await
    }

    /// Since when the store does not answer; `None` if it does. The served catalog does not need it.
    #[must_use]
    pub fn store_lost_at(&self) -> Option<Timestamp> {
        self.store_state.lost_at()
    }

    pub(crate) fn store_state(&self) -> &StoreState {
        &self.store_state
    }

    /// Tells when another process may have written to the store.
    #[must_use]
    pub(crate) fn watch_store(&self) -> StoreWatch {
        self.store.watch()
    }

    /// Returns when a request waits for what the store has.
    pub(crate) async fn poll_requested(&self) {
        self.polls.requested().await;
    }

    /// Waits until this process serves what the store has now. Returns `false` if that takes longer,
    /// or if the store cannot be read. Needs a task that runs [`follow`](crate::follow()).
    pub async fn catch_up(&self, timeout: Duration) -> bool {
        self.polls.next(timeout).await
    }

    /// Serves what another process wrote to the store, if anything.
    pub async fn follow_store(self: &Arc<Self>) -> Result<(), PublishError> {
        let poll = self.polls.begin();
        self.serve_newest().await?;
        self.polls.end(poll);
        Ok(())
    }

    async fn serve_newest(self: &Arc<Self>) -> Result<(), PublishError> {
        if self.store.edition().await? == *self.edition() {
            return Ok(());
        }
        let publisher = Arc::clone(self);
        let work = self.following.spawn(async move { publisher.take_over().await });
        work.await.map_err(|_| PublishError::WorkerGone)?
    }

    async fn take_over(&self) -> Result<(), PublishError> {
        let _writing = self.writing.lock().await;
        // An upload in this process may have updated the edition while this waited for the lock.
        if self.store.edition().await? == *self.edition() {
            return Ok(());
        }
        if self.notices_loss().await? {
            return self.show_after_loss().await;
        }
        self.store_state.show_losses(self.store.losses().await?);
        // If only a source was received again, the catalog in memory is still right.
        let summary = self.store.summary(RESOLUTION).await?;
        let (revision, served_by) = (summary.revision.as_ref(), summary.served_by.as_ref());
        if is_loaded(&self.current(), revision, served_by, &summary.journal) {
            if is_copy(served_by) {
                // It may have been signed anew.
                self.received.store(read_received(&self.store).await?.map(Arc::new));
            }
            self.show_status(Some(summary.sources));
            self.reach(summary.edition);
            return Ok(());
        }
        self.show(LoadedCatalog::of(&self.store).await?)?;
        tracing::info!(token = self.current().token(), "loaded a new revision from the store");
        Ok(())
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

/// The rest of the current second.
fn until_next_second() -> Duration {
    let passed = Timestamp::now().subsec_nanosecond().unsigned_abs();
    Duration::from_secs(1).saturating_sub(Duration::from_nanos(u64::from(passed)))
}
