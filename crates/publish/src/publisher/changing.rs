//! Publishing a change: worked out in memory, committed, then served.

use std::{sync::Arc, time::Duration};

use appstitch_snapshot::PublishedRevision;
use appstitch_stitching::LeftOut;
use appstitch_store::StoreError;
use jiff::Timestamp;

use super::Publisher;
use crate::{
    background::blocking,
    change::CatalogChange,
    journal::LastServed,
    loaded_catalog::{ATTEMPTS, LoadedCatalog, is_loaded},
    plan::{NextCatalog, Plan},
    preview::ChangePreview,
    publish_error::PublishError,
    published::Published,
    rules::is_published_by_newer,
};

impl Publisher {
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

    /// Waits until no change is being published here.
    pub async fn at_rest(&self) {
        drop(self.writing.lock().await);
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
}

/// The rest of the current second.
fn until_next_second() -> Duration {
    let passed = Timestamp::now().subsec_nanosecond().unsigned_abs();
    Duration::from_secs(1).saturating_sub(Duration::from_nanos(u64::from(passed)))
}
