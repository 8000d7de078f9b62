//! Follows the catalog of another store at a regular interval, with the manners of a refresh: one process
//! of several asks, never more often than it should, and less often after failures.

use std::{sync::Arc, time::Duration};

use appstitch_catalog_files::Index;
use appstitch_mirror::{MirrorError, Origin, Reader, Taken, Trust, take};
use appstitch_network::NetworkAccess;
use appstitch_publish::{Publisher, RECEIVED};
use appstitch_store::{Duty, SourceRefresh, Store, StoreError};
use jiff::Timestamp;

use super::{POLL, RefreshResult, ScheduleStatus, show_sources};
use crate::{
    due,
    source_results::{NOT_ENDED, due_at, whole_millisecond},
};

#[derive(Debug, Clone)]
pub struct MirrorSchedule {
    pub origin: Origin,
    pub trust: Trust,
    pub every: Duration,
    pub access: NetworkAccess,
}

impl MirrorSchedule {
    /// Follows until the task is dropped, and reports in `status`.
    pub async fn run(self, store: Store, publisher: Arc<Publisher>, status: Arc<ScheduleStatus>) {
        loop {
            match store.lock(Duty::Refresh).await {
                Ok(Some(lock)) => {
                    let followed = self.run_while(|| lock.is_held(), &store, &publisher, &status);
                    if let Err(error) = followed.await {
                        tracing::warn!(%error, "cannot follow the origin now");
                    }
                }
                Ok(None) => {
                    status.elsewhere();
                    if let Ok(refreshes) = store.source_refreshes().await {
                        show_sources(&publisher, &status, refreshes, None);
                    }
                }
                Err(error) => {
                    tracing::debug!(%error, "cannot find out which process follows the origin");
                    status.elsewhere();
                }
            }
            tokio::time::sleep(POLL).await;
        }
    }

    async fn run_while(
        &self,
        may_follow: impl Fn() -> bool,
        store: &Store,
        publisher: &Arc<Publisher>,
        status: &ScheduleStatus,
    ) -> Result<(), MirrorError> {
        let reader = Reader::new(self.origin.clone(), &self.access)?;
        while may_follow() {
            let last = last(store).await?;
            show_sources(publisher, status, last.clone().into_iter().collect(), None);
            let now = Timestamp::now();
            let next = last.as_ref().map_or(now, |last| due_at(last, self.every));
            status.waits_until(next.max(now));
            let left = Duration::try_from(next.duration_since(now)).unwrap_or_default();
            if !left.is_zero() {
                tokio::time::sleep(left.min(POLL)).await;
                continue;
            }
            // Without this note, the origin could be asked too often.
            let attempt = self.begun(last, now);
            store.put_source_refreshes(vec![attempt.clone()]).await?;
            status.started(now);
            let taken = take(&reader, &self.trust, store).await;
            if matches!(taken, Ok(Taken::New(_)))
                && let Err(error) = publisher.follow_store().await
            {
                tracing::warn!(%error, "cannot read what was received");
            }
            let ended = self.ended(attempt, &taken);
            store.put_source_refreshes(vec![ended]).await?;
            let outcome = told(taken).map_err(|why| (RefreshResult::Failed, why));
            store.note_refresh(status.ended(Timestamp::now(), outcome)).await?;
        }
        Ok(())
    }

    /// An attempt, as one that failed: if it does not end, it counts as a failure.
    fn begun(&self, last: Option<SourceRefresh>, now: Timestamp) -> SourceRefresh {
        let failures = last.as_ref().map_or(0, |last| last.failures).saturating_add(1);
        SourceRefresh {
            source: RECEIVED.to_owned(),
            tried_at: whole_millisecond(now),
            succeeded_at: last.and_then(|last| last.succeeded_at),
            next_at: due::next(self.every, now, failures, due::fraction()),
            failures,
            why: Some(NOT_ENDED.to_owned()),
            entries: None,
            rejected: None,
            rejects: "[]".to_owned(),
        }
    }

    fn ended(&self, attempt: SourceRefresh, taken: &Result<Taken, MirrorError>) -> SourceRefresh {
        let now = whole_millisecond(Timestamp::now());
        match taken {
            Ok(Taken::New(index) | Taken::Unchanged(index)) => SourceRefresh {
                succeeded_at: Some(now),
                next_at: due::next(self.every, attempt.tried_at, 0, due::fraction()),
                failures: 0,
                why: None,
                entries: Some(index.apps),
                ..attempt
            },
            Err(error) => SourceRefresh {
                // The pause counts from now: an attempt that hangs can take longer than it.
                next_at: due::next(self.every, now, attempt.failures, due::fraction())
                    .max(error.wait_until(now).unwrap_or(now)),
                why: Some(error.public_reason()),
                ..attempt
            },
        }
    }
}

async fn last(store: &Store) -> Result<Option<SourceRefresh>, StoreError> {
    let refreshes = store.source_refreshes().await?;
    Ok(refreshes.into_iter().find(|refresh| refresh.source == RECEIVED))
}

/// Logs what became of an attempt. The error is for everyone to read.
fn told(taken: Result<Taken, MirrorError>) -> Result<(), String> {
    match taken {
        Ok(Taken::New(index)) => {
            let Index { revision, serial, apps, .. } = *index;
            tracing::info!(revision, serial, apps, "received a new revision of the origin");
            Ok(())
        }
        Ok(Taken::Unchanged(_)) => Ok(()),
        Err(error) => {
            tracing::warn!(%error, "cannot take over the catalog of the origin; still serving the last one");
            Err(error.public_reason())
        }
    }
}
