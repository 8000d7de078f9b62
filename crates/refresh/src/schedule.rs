//! Refreshes at regular intervals while a service runs. Each source has its own interval; those that
//! are due at the same time are refreshed together.
//!
//! Several processes can use one store. One of them refreshes; the others take over when it ends.

mod mirror;
mod round;
mod status;

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use appstitch_network::NetworkAccess;
use appstitch_publish::Publisher;
use appstitch_resolver::LiveOptions;
use appstitch_sources::Upstream;
use appstitch_store::{Duty, SourceRefresh, Store, StoreError};
use jiff::Timestamp;

use crate::{
    source_results::{Attempts, due_at, received_before, show, told},
    upstream_config::UpstreamConfig,
};
pub use mirror::MirrorSchedule;
pub use status::{LastRefresh, RefreshPhase, RefreshResult, ScheduleState, ScheduleStatus};

/// How often a process looks whether it may refresh, and whether it still may.
const POLL: Duration = Duration::from_secs(10);

#[derive(Debug, Clone)]
pub struct Schedule {
    /// The time from one refresh to the next, for sources about which the configuration says nothing.
    /// A tenth of it, at most, is added at random.
    pub every: Option<Duration>,
    pub config: UpstreamConfig,
    pub access: NetworkAccess,
    pub time_limit: Option<Duration>,
    /// How labels are run after each refresh of them; `None` if they are not run.
    pub labels: Option<LiveOptions>,
    /// Whether it was told that there is no table of titles. It is told once.
    pub told_missing_table: Arc<AtomicBool>,
}

impl Schedule {
    /// Refreshes until the task is dropped, and reports in `status`. A refresh that is dropped
    /// publishes everything or nothing.
    pub async fn run(self, store: Store, publisher: Arc<Publisher>, status: Arc<ScheduleStatus>) {
        loop {
            if let Ok(Some(last)) = store.last_refresh().await {
                status.show_last(last);
            }
            if let Ok(refreshes) = store.source_refreshes().await {
                show_sources(&publisher, &status, refreshes, self.time_limit);
            }
            match store.lock(Duty::Refresh).await {
                Ok(Some(lock)) => {
                    self.run_while(|| lock.is_held(), &store, &publisher, &status).await;
                    tracing::warn!(
                        "another process may refresh now: the lock on the store is lost"
                    );
                }
                Ok(None) => status.elsewhere(),
                Err(error) => {
                    tracing::debug!(%error, "cannot find out which process refreshes");
                    status.elsewhere();
                }
            }
            tokio::time::sleep(POLL).await;
        }
    }

    async fn run_while(
        &self,
        may_refresh: impl Fn() -> bool,
        store: &Store,
        publisher: &Arc<Publisher>,
        status: &ScheduleStatus,
    ) {
        while may_refresh() {
            let dues = match self.dues(store).await {
                Ok((dues, refreshes)) => {
                    show_sources(publisher, status, refreshes, self.time_limit);
                    dues
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot read from the store when the sources are due");
                    tokio::time::sleep(POLL).await;
                    continue;
                }
            };
            let now = Timestamp::now();
            let Some(next) = dues.iter().map(|(_, due)| *due).min() else {
                tokio::time::sleep(POLL).await;
                continue;
            };
            status.waits_until(next.max(now));
            let left = Duration::try_from(next.duration_since(now)).unwrap_or_default();
            if !left.is_zero() {
                tokio::time::sleep(left.min(POLL)).await;
                continue;
            }
            let chosen = together(&dues, now);
            // Without this note, the upstreams could be asked too often.
            let attempts = Attempts::begin(store, &self.config, &chosen, self.every).await;
            let attempts = match attempts {
                Ok(attempts) => attempts,
                Err(error) => {
                    tracing::warn!(%error, "cannot write to the store that sources are refreshed");
                    tokio::time::sleep(POLL).await;
                    continue;
                }
            };
            status.started(now);
            let outcome = self.refresh(store, publisher, attempts, &chosen).await;
            let ended = status.ended(Timestamp::now(), outcome);
            if let Err(error) = store.note_refresh(ended).await {
                tracing::warn!(%error, "cannot write the result of the refresh to the store");
            }
        }
    }

    /// When each source is due, and what is known about them: at once if a source was never received,
    /// otherwise an interval after it was tried, or received by other means.
    async fn dues(
        &self,
        store: &Store,
    ) -> Result<(Vec<(Upstream, Timestamp)>, Vec<SourceRefresh>), StoreError> {
        let mut refreshes = store.source_refreshes().await?;
        let is_new = |upstream: &Upstream| {
            !refreshes.iter().any(|refresh| refresh.source == upstream.token())
        };
        let new: Vec<Upstream> = self.config.upstreams().filter(is_new).collect();
        if !new.is_empty() {
            let states = store.summary("").await?.sources.states;
            let mut noted = Vec::new();
            for upstream in new {
                let state = states.iter().find(|state| state.source == upstream.token());
                noted.extend(state.map(|state| {
                    let every = self.config.every(upstream, self.every);
                    received_before(upstream, state.received_at, state.rejected, every)
                }));
            }
            if !noted.is_empty() {
                store.put_source_refreshes(noted).await?;
                refreshes = store.source_refreshes().await?;
            }
        }
        let due = |upstream: Upstream| {
            let refresh = refreshes.iter().find(|refresh| refresh.source == upstream.token());
            let every = self.config.every(upstream, self.every);
            (upstream, refresh.map_or(Timestamp::MIN, |refresh| due_at(refresh, every)))
        };
        let dues = self.config.upstreams().map(due).collect();
        Ok((dues, refreshes))
    }
}

/// What is refreshed together, of what is due. The listings come last and alone: the others say what
/// to ask for. But they do not wait for what became due after them: the others can be due again
/// whenever they are refreshed.
fn together(dues: &[(Upstream, Timestamp)], now: Timestamp) -> Vec<Upstream> {
    let is_listings = |upstream: Upstream| upstream == Upstream::StoreListing;
    let due = || dues.iter().filter(|(_, due)| *due <= now);
    let listings = due().find(|(upstream, _)| is_listings(*upstream)).map(|(_, due)| *due);
    let others = || due().filter(|(upstream, _)| !is_listings(*upstream));
    match listings {
        Some(listings) if others().all(|(_, due)| *due > listings) => vec![Upstream::StoreListing],
        _ => others().map(|(upstream, _)| *upstream).collect(),
    }
}

/// `time_limit` is that of a refresh.
fn show_sources(
    publisher: &Arc<Publisher>,
    status: &ScheduleStatus,
    refreshes: Vec<SourceRefresh>,
    time_limit: Option<Duration>,
) {
    let refreshes = told(refreshes, Timestamp::now(), time_limit);
    show(publisher, &refreshes);
    status.show_sources(refreshes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_listings_come_alone_and_do_not_wait_for_ever() {
        use Upstream::{CaskCatalog, LabelTool, StoreListing};
        let minute = |minute: i64| Timestamp::UNIX_EPOCH + jiff::SignedDuration::from_mins(minute);
        let of = |labels: i64, casks: i64, listings: i64| {
            let dues = [(LabelTool, labels), (CaskCatalog, casks), (StoreListing, listings)];
            together(&dues.map(|(upstream, due)| (upstream, minute(due))), minute(60))
        };
        assert_eq!(of(50, 61, 70), [LabelTool]);
        assert_eq!(of(50, 60, 40), [StoreListing], "the others became due since");
        assert_eq!(of(50, 40, 40), [LabelTool, CaskCatalog], "the others say what to ask for");
        assert_eq!(of(30, 50, 40), [LabelTool, CaskCatalog]);
        assert_eq!(of(70, 70, 40), [StoreListing]);
    }
}
