//! How long is measured: for figures to keep, or for a quick look.

use std::time::Duration;

/// The core of whoever serves, and that of the load.
pub(super) const SERVING: usize = 0;
pub(super) const LOADING: usize = 1;

#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// How often what is started anew is measured; the median counts. Where a process finds its
    /// memory makes a difference of several per cent, so one start says little.
    pub(super) rounds: usize,
    /// How often two sides take turns within a round, and how long a turn is: many short ones, for
    /// the machine's speed changes from second to second.
    pub(super) turns: usize,
    pub(super) turn: Duration,
    /// How long a run is that has nothing to take turns with.
    pub(super) run: Duration,
    /// How many made-up apps the growth is shown with.
    pub(super) sizes: &'static [usize],
}

impl Effort {
    pub(super) const FULL: Self = Self {
        rounds: 5,
        turns: 8,
        turn: Duration::from_millis(250),
        run: Duration::from_secs(2),
        sizes: &[10_000, 100_000, 1_000_000],
    };
    pub(super) const QUICK: Self = Self {
        rounds: 1,
        turns: 4,
        turn: Duration::from_millis(250),
        run: Duration::from_secs(1),
        sizes: &[1_000, 10_000],
    };
}
