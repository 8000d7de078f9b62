//! Numbers for metrics and `/health`. They exist from the start, so that counting is one addition.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{delivery_result::DeliveryResult, status::HookState};

/// What happened since the start, and how the hooks are now.
#[derive(Debug, Default)]
pub struct HookCounters {
    delivered: AtomicU64,
    failed: AtomicU64,
    unanswered: AtomicU64,
    states: [AtomicU64; HookState::ALL.len()],
}

impl HookCounters {
    pub(crate) fn count(&self, result: &DeliveryResult) {
        let counter = match result {
            _ if result.is_delivered() => &self.delivered,
            DeliveryResult::Response { .. } => &self.failed,
            DeliveryResult::NoResponse(_) => &self.unanswered,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn show(&self, states: impl Iterator<Item = HookState>) {
        let mut counts = [0; HookState::ALL.len()];
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

    #[must_use]
    pub fn hooks(&self) -> [(&'static str, u64); HookState::ALL.len()] {
        HookState::ALL.map(|state| (state.word(), self.in_state(state)))
    }

    fn in_state(&self, state: HookState) -> u64 {
        self.states[state as usize].load(Ordering::Relaxed)
    }
}
