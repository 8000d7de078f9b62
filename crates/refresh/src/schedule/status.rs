//! What a schedule does now and did last, for `/health` and the metrics.

use std::sync::{Mutex, MutexGuard, PoisonError};

use appstitch_store::{SourceRefresh, StoredRefresh};
use jiff::Timestamp;

appstitch_types::words! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum RefreshPhase {
        /// Another process that uses the store refreshes, or it is not known yet which one.
        #[default]
        Elsewhere = "elsewhere",
        Waiting = "waiting",
        Running = "running",
    }
}

appstitch_types::words! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RefreshResult {
        Complete = "complete",
        /// Some sources keep their last good data.
        Partial = "partial",
        /// Nothing was published.
        Failed = "failed",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastRefresh {
    pub ended_at: Timestamp,
    pub result: RefreshResult,
    pub why: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub struct ScheduleState {
    pub phase: RefreshPhase,
    /// When the next refresh is due; `None` if another process refreshes.
    pub next_at: Option<Timestamp>,
    pub last: Option<LastRefresh>,
    pub completed_at: Option<Timestamp>,
    /// The number of refreshes by result, in the order of [`RefreshResult::ALL`].
    pub counts: [u64; RefreshResult::ALL.len()],
    /// How refreshing each source went, by any process that uses the store.
    pub sources: Vec<SourceRefresh>,
}

#[derive(Debug, Default)]
pub struct ScheduleStatus(Mutex<ScheduleState>);

impl ScheduleStatus {
    pub fn now(&self) -> ScheduleState {
        self.state().clone()
    }

    pub(super) fn elsewhere(&self) {
        let mut state = self.state();
        (state.phase, state.next_at) = (RefreshPhase::Elsewhere, None);
    }

    pub(super) fn waits_until(&self, next: Timestamp) {
        let mut state = self.state();
        (state.phase, state.next_at) = (RefreshPhase::Waiting, Some(next));
    }

    pub(super) fn started(&self, now: Timestamp) {
        let mut state = self.state();
        (state.phase, state.next_at) = (RefreshPhase::Running, Some(now));
    }

    pub(super) fn show_sources(&self, sources: Vec<SourceRefresh>) {
        self.state().sources = sources;
    }

    pub(super) fn show_last(&self, stored: StoredRefresh) {
        let StoredRefresh { ended_at, result, why } = stored;
        // A newer version may have other results.
        if let Some(result) = RefreshResult::from_word(&result) {
            self.state().last = Some(LastRefresh { ended_at, result, why });
        }
    }

    /// Notes how a refresh of this process ended. Returns what the other processes should know.
    pub(super) fn ended(
        &self,
        now: Timestamp,
        outcome: Result<(), (RefreshResult, String)>,
    ) -> StoredRefresh {
        let (result, why) = match outcome {
            Ok(()) => (RefreshResult::Complete, None),
            Err((result, why)) => (result, Some(why)),
        };
        let mut state = self.state();
        if result == RefreshResult::Complete {
            state.completed_at = Some(now);
        }
        if let Some(kind) = RefreshResult::ALL.iter().position(|kind| *kind == result) {
            state.counts[kind] += 1;
        }
        state.last = Some(LastRefresh { ended_at: now, result, why: why.clone() });
        StoredRefresh { ended_at: now, result: result.word().to_owned(), why }
    }

    /// The state is a plain value, valid whatever happened to the thread that wrote it.
    fn state(&self) -> MutexGuard<'_, ScheduleState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
