//! Numbers for metrics and `/health`. They exist from the start, so that counting is one addition.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{outcome::Outcome, status::HookState};

/// What happened since the start, and how the hooks are now.
#[derive(Debug, Default)]
pub struct HookCounters {
    delivered: AtomicU64,
    failed: AtomicU64,
    unanswered: AtomicU64,
    states: [AtomicU64; 3],
}

impl HookCounters {
    pub(crate) fn count(&self, outcome: &Outcome) {
        let counter = match outcome {
            _ if outcome.is_delivered() => &self.delivered,
            Outcome::Answered { .. } => &self.failed,
            Outcome::Unanswered(_) => &self.unanswered,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn show(&self, states: impl Iterator<Item = HookState>) {
        let mut counts = [0; 3];
        for state in states {
            counts[state as usize] += 1;
        }
        for (shown, count) in self.states.iter().zip(counts) {
            shown.store(count, Ordering::Relaxed);
        }
    }

    /// Attempts to deliver since the start, by result.
    #[must_use]
    pub fn deliveries(&self) -> [(&'static str, u64); 3] {
        [("delivered", &self.delivered), ("failed", &self.failed), ("unanswered", &self.unanswered)]
            .map(|(result, counter)| (result, counter.load(Ordering::Relaxed)))
    }

    /// The number of hooks by state.
    #[must_use]
    pub fn hooks(&self) -> [(&'static str, u64); 3] {
        HookState::ALL.map(|state| (state.word(), self.in_state(state)))
    }

    fn in_state(&self, state: HookState) -> u64 {
        self.states[state as usize].load(Ordering::Relaxed)
    }
}
