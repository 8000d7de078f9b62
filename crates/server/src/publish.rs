//! Publishing: the one way in which the served catalog changes.
//!
//! A change is worked out in memory from the store's contents, committed in one
//! transaction, and only then swapped in. A crash at any point leaves the old revision or
//! the new one, and a change that moves no served byte moves nothing.

mod assemble;
mod batch;
mod document_rows;
mod plan;
mod reading;
mod record_rows;

pub use assemble::served_records;
pub use batch::{Batch, BatchSummary, Problem, Tally};

use std::{
    io::Read,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use appstitch_catalog::{LabelDocument, Record, Slug};
use appstitch_sources::{Unreadable, Upstream};
use appstitch_store::{Document, FetchedFrom, Store, StoreError};
use arc_swap::ArcSwap;
use thiserror::Error;
use tokio::sync::Mutex;

use crate::{
    background::{Background, BackgroundPriority},
    sample,
    snapshot::{PublishedRevision, Snapshot},
};
use assemble::decode;
use plan::Plan;
use reading::Reading;

/// How often a change is worked out again because another process wrote in between.
const ATTEMPTS: u32 = 20;

/// An upload that removes more than one entry in this many is taken for a mistake.
const SHRINK_PARTS: usize = 5;

/// For how many tenths of a second an old snapshot waits for its last readers.
const LONGEST_GOODBYE: u32 = 300;

/// A change to what the catalog is made of.
#[derive(Debug, Clone)]
pub enum CatalogChange {
    /// To the hand-given records.
    Records(RecordsChange),
    /// To what the upstreams said, all of it as one revision.
    Sources {
        /// The new files, read.
        uploads: Vec<SourceUpload>,
        /// Whether losing more than a fifth of a source's documents is meant.
        allow_shrink: bool,
    },
}

/// The documents of one upstream file, or some of a source's documents.
#[derive(Debug, Clone)]
pub struct SourceUpload {
    /// The source's token.
    pub source: &'static str,
    /// The documents.
    pub documents: Vec<Document>,
    /// Which of the source's documents they stand for: all whose key starts like this. `None`
    /// if they only add to what is there.
    pub replaces: Option<&'static str>,
    /// Where they were fetched from.
    pub fetched: Option<FetchedFrom>,
}

impl SourceUpload {
    /// Reads an upstream's own file, and counts what it holds.
    pub fn read(
        upstream: Upstream,
        mut file: impl Read,
        tally: &mut Tally,
    ) -> Result<Self, Unreadable> {
        let source = upstream.token();
        let reading = upstream.read_from(&mut file)?;
        tally.received += reading.documents.len() + reading.refused.len();
        for refused in &reading.refused {
            tally.refuse(format!("{source}, {}", refused.what), refused.why.clone());
        }
        let replaces = Some(upstream.replaced_prefix(&reading));
        let documents = reading.documents.into_iter().map(|document| Document {
            source: source.to_owned(),
            key: document.key,
            body: document.body,
        });
        Ok(Self { source, documents: documents.collect(), replaces, fetched: None })
    }

    /// Whether it is an upstream's own file, and not the built-in sample's.
    fn is_real_file(&self) -> bool {
        self.replaces.is_some() && !sample::is_all_of(&self.documents)
    }

    fn replaces(&self, key: &str) -> bool {
        self.replaces.is_some_and(|prefix| key.starts_with(prefix))
    }
}

/// A change to the hand-given records.
#[derive(Debug, Clone)]
pub enum RecordsChange {
    /// These are all the records there are.
    Replace {
        /// The records, each slug once.
        records: Vec<Record>,
        /// The records of today that stay although they are not among them.
        keep: Keep,
        /// Whether losing more than a fifth of the records is meant.
        allow_shrink: bool,
    },
    /// One record, new or replaced.
    Put(Box<Record>),
    /// One record less.
    Remove(Slug),
}

/// Which records stay because their replacement was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keep {
    /// Those with these slugs.
    Slugs(Vec<String>),
    /// All: a refused line may have been meant for any of them.
    Everything,
}

/// What a change did for readers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// The token served now.
    pub token: String,
    /// Whether the served catalog changed.
    pub changed: bool,
    /// How many apps there are now.
    pub total: u64,
    /// How many of them are new.
    pub added: usize,
    /// How many of them changed.
    pub updated: usize,
    /// How many went.
    pub removed: usize,
}

/// Why nothing was published.
#[derive(Debug, Error)]
pub enum PublishError {
    /// Too many entries would go at once.
    #[error("this would remove {removed} of {present} records of {source_token}")]
    Shrinks {
        /// The token of their source, or `records` for those given by hand.
        source_token: &'static str,
        /// How many records would go.
        removed: usize,
        /// How many there are.
        present: usize,
    },
    /// There is no such record to remove.
    #[error("there is no hand-given record with slug '{0}'")]
    UnknownRecord(Slug),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A record could not be serialised.
    #[error("a record could not be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The thread that worked on the change is gone.
    #[error("the work on the change stopped in the middle")]
    WorkerGone,
}

/// Holds the current snapshot and is the only writer of the next one.
pub struct Publisher {
    store: Store,
    current: ArcSwap<Snapshot>,
    /// The store's edition that `current` shows.
    edition: AtomicU64,
    writing: Mutex<()>,
    background: Background,
}

impl Publisher {
    /// Serves what the store holds. Where this version makes other bytes of it than the last
    /// one did, that is a new revision.
    pub async fn open(store: Store, priority: BackgroundPriority) -> Result<Self, PublishError> {
        let mut attempt = 1;
        loop {
            if let Some(kept) = Reading::kept(&store).await? {
                return Self::show_first(store, kept, priority);
            }
            let contents = Arc::new(store.load().await?);
            let plan = {
                let contents = Arc::clone(&contents);
                blocking(move || Plan::for_upgrade(&contents)).await?
            };
            let mut revision = contents.revision.clone().map(PublishedRevision::from);
            if let Some(new) = &plan.change.revision {
                revision = Some(new.into());
                tracing::info!(
                    token = new.token,
                    "this version serves other bytes: a new revision"
                );
            }
            let edition = match store.commit(plan.change).await {
                Err(StoreError::Moved { .. }) if attempt < ATTEMPTS => {
                    attempt += 1;
                    continue;
                }
                result => result?,
            };
            let reading = Reading { draft: plan.draft, revision, edition };
            return Self::show_first(store, reading, priority);
        }
    }

    /// Serves what a store holds and writes nothing to it, not even what this version would
    /// serve differently.
    pub async fn open_to_read(store: Store) -> Result<Self, PublishError> {
        let reading = Reading::of(&store).await?;
        // Nothing is published; what is left for the background is to look at the store.
        Self::show_first(store, reading, BackgroundPriority::Idle)
    }

    fn show_first(
        store: Store,
        reading: Reading,
        priority: BackgroundPriority,
    ) -> Result<Self, PublishError> {
        Ok(Self {
            store,
            current: ArcSwap::from_pointee(reading.draft.into_snapshot(reading.revision)?),
            edition: AtomicU64::new(reading.edition),
            writing: Mutex::new(()),
            background: Background::start(priority).map_err(|_| PublishError::WorkerGone)?,
        })
    }

    /// Where work is done that must not hold up the reads.
    pub(crate) fn background(&self) -> &Background {
        &self.background
    }

    /// The revision served now.
    #[must_use]
    pub fn current(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Makes a change, all of it or none.
    ///
    /// The work goes on even if the caller stops waiting for it.
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
        let mut attempt = 1;
        loop {
            match self.attempt(Arc::clone(&change)).await {
                Err(PublishError::Store(StoreError::Moved { .. })) if attempt < ATTEMPTS => {
                    // Whoever was faster may have more to write: step back a little longer each time.
                    tokio::time::sleep(Duration::from_millis(5) * attempt).await;
                    attempt += 1;
                }
                result => return result,
            }
        }
    }

    async fn attempt(&self, change: Arc<CatalogChange>) -> Result<Published, PublishError> {
        let contents = Arc::new(self.store.load().await?);
        if contents.edition != self.edition() {
            self.show(Reading::stitched(Arc::clone(&contents)).await?)?;
        }
        let current = self.current();
        let plan = blocking(move || Plan::work_out(&contents, &change, &current)).await?;
        let revision = plan.change.revision.as_ref().map(PublishedRevision::from);
        let mut published = Published {
            token: self.current().token().to_owned(),
            changed: revision.is_some(),
            total: plan.draft.counts.total_apps,
            added: plan.difference.added,
            updated: plan.difference.updated,
            removed: plan.difference.removed,
        };
        let edition = self.store.commit(plan.change).await?;
        if let Some(revision) = revision {
            published.token.clone_from(&revision.token);
            self.swap_in(plan.draft.into_snapshot(Some(revision))?);
        }
        self.edition.store(edition, Ordering::Release);
        Ok(published)
    }

    /// What the upstreams' addresses last answered.
    pub async fn fetched(&self) -> Result<Vec<FetchedFrom>, PublishError> {
        Ok(self.store.fetched().await?)
    }

    /// The documents of one source.
    pub async fn documents(&self, source: &'static str) -> Result<Vec<Document>, PublishError> {
        let contents = self.store.load().await?;
        Ok(contents.documents.into_iter().filter(|document| document.source == source).collect())
    }

    /// The labels as they are read now.
    pub async fn labels(&self) -> Result<Vec<LabelDocument>, PublishError> {
        let contents = self.store.load().await?;
        blocking(move || Ok(decode(contents.documents.iter()).labels)).await
    }

    /// Shows what another process wrote into the store, if it did.
    pub async fn follow_store(self: &Arc<Self>) -> Result<(), PublishError> {
        if self.store.edition().await? == self.edition() {
            return Ok(());
        }
        let publisher = Arc::clone(self);
        let work = self.background.spawn(async move { publisher.take_over().await });
        work.await.map_err(|_| PublishError::WorkerGone)?
    }

    async fn take_over(&self) -> Result<(), PublishError> {
        let _writing = self.writing.lock().await;
        // An upload of ours may have been between its commit and its swap.
        if self.store.edition().await? == self.edition() {
            return Ok(());
        }
        self.show(Reading::of(&self.store).await?)?;
        tracing::info!(token = self.current().token(), "took over a revision from the store");
        Ok(())
    }

    fn edition(&self) -> u64 {
        self.edition.load(Ordering::Acquire)
    }

    /// Swaps in a snapshot of what the store holds, if it differs from what is served.
    fn show(&self, reading: Reading) -> Result<(), PublishError> {
        let Reading { draft, revision, edition } = reading;
        let current = self.current();
        if current.content_hash() != draft.content_hash || current.revision() != revision.as_ref() {
            self.swap_in(draft.into_snapshot(revision)?);
        }
        self.edition.store(edition, Ordering::Release);
        Ok(())
    }

    /// Serves a snapshot from now on. Giving the memory of the old one back takes a while: that
    /// is not left to whichever read happens to be the last to hold it.
    fn swap_in(&self, snapshot: Snapshot) {
        let old = self.current.swap(Arc::new(snapshot));
        self.background.spawn(async move {
            for _ in 0..LONGEST_GOODBYE {
                if Arc::strong_count(&old) == 1 {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        });
    }
}

/// Runs work that would hold up an async thread.
async fn blocking<T, W>(work: W) -> Result<T, PublishError>
where
    T: Send + 'static,
    W: FnOnce() -> Result<T, PublishError> + Send + 'static,
{
    tokio::task::spawn_blocking(work).await.map_err(|_| PublishError::WorkerGone)?
}
