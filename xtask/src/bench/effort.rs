//! The length of the measurements: for the document, or for a quick run.

use std::time::Duration;

/// The core of the servers, and the core of the load.
pub(super) const SERVING: usize = 0;
pub(super) const LOADING: usize = 1;

#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// How often the servers are restarted and measured; the result is the median. The memory
    /// layout of a process makes a difference of several percent, so one start is not enough.
    pub(super) rounds: usize,
    /// The number of turns of each side per round, and the length of a turn: many short ones,
    /// because the machine's speed changes from second to second.
    pub(super) turns: usize,
    pub(super) turn: Duration,
    /// The length of a run without turns.
    pub(super) run: Duration,
    /// The sizes of the generated catalogs of the growth part, in apps.
    pub(super) sizes: &'static [usize],
    /// The sizes of the generated catalogs that are searched, in apps.
    pub(super) searched: &'static [usize],
}

impl Effort {
    pub(super) const FULL: Self = Self {
        rounds: 5,
        turns: 8,
        turn: Duration::from_millis(250),
        run: Duration::from_secs(2),
        sizes: &[10_000, 100_000, 1_000_000],
        searched: &[5_000, 1_000_000],
    };
    pub(super) const QUICK: Self = Self {
        rounds: 1,
        turns: 4,
        turn: Duration::from_millis(250),
        run: Duration::from_secs(1),
        sizes: &[1_000, 10_000],
        searched: &[5_000, 50_000],
    };
}
