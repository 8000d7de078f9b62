//! What a schedule does now and did last, for `/health` and the metrics.

use std::sync::{Mutex, MutexGuard, PoisonError};

use appstitch_store::StoredRefresh;
use jiff::Timestamp;

/// What a process does about refreshing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RefreshPhase {
    /// Another process that uses the store refreshes, or it is not known yet which one.
    #[default]
    Elsewhere,
    /// It waits for the next refresh.
    Waiting,
    /// It refreshes.
    Running,
}

impl RefreshPhase {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Elsewhere => "elsewhere",
            Self::Waiting => "waiting",
            Self::Running => "running",
        }
    }
}

/// How a refresh ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefreshResult {
    /// Every source was refreshed.
    Complete,
    /// Some sources keep their last good data.
    Partial,
    /// Nothing was published.
    Failed,
}

impl RefreshResult {
    /// All results.
    pub const ALL: [Self; 3] = [Self::Complete, Self::Partial, Self::Failed];

    fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|result| result.word() == word)
    }

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Partial => "partial",
            Self::Failed => "failed",
        }
    }
}

/// The last refresh of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastRefresh {
    /// When it ended.
    pub ended_at: Timestamp,
    /// How it ended.
    pub result: RefreshResult,
    /// Why it is not complete.
    pub why: Option<String>,
}

/// What a schedule does now and did last.
#[derive(Debug, Clone, Default)]
pub struct ScheduleState {
    /// What this process does.
    pub phase: RefreshPhase,
    /// When the next refresh is due; `None` if another process refreshes.
    pub next_at: Option<Timestamp>,
    /// The last refresh; `None` if there was none yet.
    pub last: Option<LastRefresh>,
    /// When the last complete refresh ended.
    pub completed_at: Option<Timestamp>,
    /// The number of refreshes by result, in the order of [`RefreshResult::ALL`].
    pub counts: [u64; RefreshResult::ALL.len()],
}

/// Shared by the schedule and those who tell about it.
#[derive(Debug, Default)]
pub struct ScheduleStatus(Mutex<ScheduleState>);

impl ScheduleStatus {
    /// The state now.
    #[must_use]
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

    /// Shows the last refresh of any process.
    pub(super) fn show_last(&self, stored: StoredRefresh) {
        let StoredRefresh { ended_at, result, why } = stored;
        // A newer version may have other results.
        if let Some(result) = RefreshResult::of_word(&result) {
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
