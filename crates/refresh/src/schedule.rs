//! Refreshes at regular intervals while a service runs.
//!
//! Several processes can use one store. One of them refreshes; the others take over when it ends.

mod due;
mod round;
mod status;

use std::{sync::Arc, time::Duration};

use appstitch_network::NetworkAccess;
use appstitch_publish::Publisher;
use appstitch_resolver::LiveOptions;
use appstitch_store::{Duty, Store};
use jiff::Timestamp;

use crate::upstream_config::UpstreamConfig;
pub use status::{LastRefresh, RefreshPhase, RefreshResult, ScheduleState, ScheduleStatus};

/// How often a process looks whether it may refresh, and whether it still may.
const POLL: Duration = Duration::from_secs(10);

#[derive(Debug, Clone)]
pub struct Schedule {
    /// The time from one refresh to the next. A tenth of it, at most, is added at random.
    pub every: Duration,
    pub config: UpstreamConfig,
    pub access: NetworkAccess,
    pub time_limit: Option<Duration>,
    /// How labels are run after each refresh; `None` if they are not run.
    pub labels: Option<LiveOptions>,
}

impl Schedule {
    /// Refreshes until the task is dropped, and reports in `status`. A refresh that is dropped
    /// publishes everything or nothing.
    pub async fn run(self, store: Store, publisher: Arc<Publisher>, status: Arc<ScheduleStatus>) {
        loop {
            if let Ok(Some(last)) = store.last_refresh().await {
                status.show_last(last);
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
        let mut failures = 0;
        let mut next = self.first(store).await;
        while may_refresh() {
            status.waits_until(next);
            let left = Duration::try_from(next.duration_since(Timestamp::now()));
            let left = left.unwrap_or_default();
            if !left.is_zero() {
                tokio::time::sleep(left.min(POLL)).await;
                continue;
            }
            status.started(Timestamp::now());
            let outcome = self.refresh(store, publisher).await;
            failures = if outcome.is_ok() { 0 } else { failures + 1 };
            let now = Timestamp::now();
            let ended = status.ended(now, outcome);
            if let Err(error) = store.note_refresh(ended).await {
                tracing::warn!(%error, "cannot write the result of the refresh to the store");
            }
            next = due::next(self.every, now, failures, due::fraction());
        }
    }

    /// When the first refresh is due: at once if a source was never received, otherwise when the
    /// oldest one has its age.
    async fn first(&self, store: &Store) -> Timestamp {
        let now = Timestamp::now();
        let Ok(summary) = store.summary("").await else { return now };
        let received = |source: &str| {
            let state = summary.sources.states.iter().find(|state| state.source == source);
            state.map(|state| state.received_at)
        };
        let mut oldest = now;
        for (upstream, _) in self.config.addresses() {
            match received(upstream.token()) {
                Some(time) => oldest = oldest.min(time),
                None => return now,
            }
        }
        due::next(self.every, oldest, 0, due::fraction())
    }
}
