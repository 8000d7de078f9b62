//! Whether the store answers, as seen by the task that follows it.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicI64, Ordering},
};

use appstitch_store::Losses;
use jiff::Timestamp;

/// Since when the store does not answer. Reads do not need it, so this is for operators.
#[derive(Debug, Default)]
pub(crate) struct StoreState {
    /// In seconds; 0 while it answers.
    lost_at: AtomicI64,
    losses: Mutex<Losses>,
}

impl StoreState {
    /// Notes whether the store answered. Returns whether that is news.
    pub(crate) fn note(&self, answered: bool) -> bool {
        if answered {
            return self.lost_at.swap(0, Ordering::Relaxed) != 0;
        }
        let now = Timestamp::now().as_second();
        self.lost_at.compare_exchange(0, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    pub(crate) fn show_losses(&self, losses: Losses) {
        *self.losses.lock().unwrap_or_else(PoisonError::into_inner) = losses;
    }

    pub(crate) fn losses(&self) -> Losses {
        *self.losses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn lost_at(&self) -> Option<Timestamp> {
        let seconds = self.lost_at.load(Ordering::Relaxed);
        Timestamp::from_second(seconds).ok().filter(|_| seconds != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_change_is_news_and_the_time_is_that_of_the_first_failure() {
        let state = StoreState::default();
        assert!(!state.note(true) && state.lost_at().is_none());
        assert!(state.note(false));
        let lost_at = state.lost_at();
        assert!(lost_at.is_some() && !state.note(false));
        assert_eq!(state.lost_at(), lost_at);
        assert!(state.note(true) && state.lost_at().is_none());
    }
}
