//! How long is measured: for figures to keep, or for a quick look.

/// The core of whoever serves, and that of the load.
pub(super) const SERVING: usize = 0;
pub(super) const LOADING: usize = 1;

#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// How often a run is repeated; the median counts.
    pub(super) turns: usize,
    /// How long a run of load is.
    pub(super) seconds: u32,
    /// How many made-up apps the growth is shown with.
    pub(super) sizes: &'static [usize],
}

impl Effort {
    pub(super) const FULL: Self =
        Self { turns: 5, seconds: 2, sizes: &[10_000, 100_000, 1_000_000] };
    pub(super) const QUICK: Self = Self { turns: 1, seconds: 1, sizes: &[1_000, 10_000] };
}
