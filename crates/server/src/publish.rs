//! Publishing: the one way in which the served catalog changes.
//!
//! A change is worked out in memory from the store's contents, committed in one
//! transaction, and only then swapped in. A crash at any point leaves the old revision or
//! the new one, and a change that moves no served byte moves nothing.

mod batch;
mod plan;

pub use batch::{Batch, BatchSummary, Problem};

use std::sync::Arc;

use appstitch_catalog::{Record, Slug};
use appstitch_store::{Contents, Store, StoreError};
use arc_swap::ArcSwap;
use jiff::Timestamp;
use thiserror::Error;
use tokio::sync::Mutex;

use crate::snapshot::{Draft, Edition, Snapshot};
use plan::{Plan, assemble};

/// How often a change is worked out again because another process wrote in between.
const ATTEMPTS: usize = 5;

/// A change to the hand-given records.
#[derive(Debug, Clone)]
pub enum RecordsChange {
    /// These are all the records there are.
    Replace {
        /// The records, each slug once.
        records: Vec<Record>,
        /// Slugs whose present record stays as it is, because its replacement was refused.
        keep: Vec<String>,
        /// Whether losing more than a fifth of the records is meant.
        allow_shrink: bool,
    },
    /// One record, new or replaced.
    Put(Box<Record>),
    /// One record less.
    Remove(Slug),
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
    /// Too many records would go at once.
    #[error("this would remove {removed} of {present} records")]
    Shrinks {
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
    writing: Mutex<()>,
}

impl Publisher {
    /// Serves what the store holds. Where this version makes other bytes of it than the last
    /// one did, that is a new revision.
    pub async fn open(store: Store) -> Result<Self, PublishError> {
        let contents = store.load().await?;
        let draft = build(&contents).await?;
        let mut edition = Edition {
            number: contents.edition,
            revision: contents.revision.clone().map(Into::into),
        };
        let known = contents.revision.as_ref().map(|revision| revision.content_hash.as_str());
        if known.is_some_and(|hash| hash != draft.content_hash) {
            let revision = draft.new_revision(Timestamp::now());
            edition.revision = Some((&revision).into());
            let change = appstitch_store::Change {
                base_edition: contents.edition,
                revision: Some(revision),
                ..appstitch_store::Change::default()
            };
            edition.number = store.commit(change).await?;
            tracing::info!(
                token = edition.token(),
                "this version serves other bytes: a new revision"
            );
        }
        let current = ArcSwap::from_pointee(draft.into_snapshot(edition)?);
        Ok(Self { store, current, writing: Mutex::new(()) })
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
        change: RecordsChange,
    ) -> Result<Published, PublishError> {
        let publisher = Arc::clone(self);
        let work = tokio::spawn(async move { publisher.publish_here(change).await });
        work.await.map_err(|_| PublishError::WorkerGone)?
    }

    async fn publish_here(&self, change: RecordsChange) -> Result<Published, PublishError> {
        let _writing = self.writing.lock().await;
        let mut attempt = 1;
        loop {
            match self.attempt(change.clone()).await {
                Err(PublishError::Store(StoreError::Moved { .. })) if attempt < ATTEMPTS => {
                    attempt += 1;
                }
                result => return result,
            }
        }
    }

    async fn attempt(&self, change: RecordsChange) -> Result<Published, PublishError> {
        let contents = self.store.load().await?;
        if contents.edition != self.current().edition().number {
            self.show(&contents).await?;
        }
        let current = self.current();
        let plan = blocking(move || Plan::work_out(contents, change, &current)).await?;
        let Plan { draft, mut change, difference } = plan;
        let current = self.current();
        let changed = change.revision.is_some();
        let mut edition = current.edition().clone();
        if let Some(revision) = &change.revision {
            edition.revision = Some(revision.into());
        }
        change.added_apps.clone_from(&difference.added_slugs);
        change.removed_apps.clone_from(&difference.removed_slugs);
        let total = draft.counts.total_apps;
        edition.number = self.store.commit(change).await?;
        let snapshot = draft.into_snapshot(edition)?;
        let token = snapshot.token().to_owned();
        self.current.store(Arc::new(snapshot));
        Ok(Published {
            token,
            changed,
            total,
            added: difference.added_slugs.len(),
            updated: difference.updated,
            removed: difference.removed_slugs.len(),
        })
    }

    /// Shows what another process wrote into the store, if it did.
    pub async fn follow_store(&self) -> Result<(), PublishError> {
        if self.store.edition().await? == self.current().edition().number {
            return Ok(());
        }
        let _writing = self.writing.lock().await;
        let contents = self.store.load().await?;
        if contents.edition != self.current().edition().number {
            self.show(&contents).await?;
            tracing::info!(token = self.current().token(), "took over a revision from the store");
        }
        Ok(())
    }

    /// Swaps in a snapshot of what the store holds.
    async fn show(&self, contents: &Contents) -> Result<(), PublishError> {
        let draft = build(contents).await?;
        let revision = contents.revision.clone().map(|mut revision| {
            if revision.content_hash != draft.content_hash {
                // Written by another version of the program. Its bytes differ from ours, so
                // the token must too; recording ours would start a quarrel between the two.
                revision.token = draft.new_revision(revision.changed_at).token;
            }
            revision.into()
        });
        let edition = Edition { number: contents.edition, revision };
        self.current.store(Arc::new(draft.into_snapshot(edition)?));
        Ok(())
    }
}

async fn build(contents: &Contents) -> Result<Draft, PublishError> {
    let records = contents.records.clone();
    blocking(move || assemble(&records)).await
}

/// Runs work that would hold up an async thread.
async fn blocking<T, W>(work: W) -> Result<T, PublishError>
where
    T: Send + 'static,
    W: FnOnce() -> Result<T, PublishError> + Send + 'static,
{
    tokio::task::spawn_blocking(work).await.map_err(|_| PublishError::WorkerGone)?
}
