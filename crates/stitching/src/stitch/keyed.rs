//! The entries that have a key in common.

use crate::bounds::ENTRIES_PER_KEY;

/// The entries with one key. If there are too many, only their number is known: such a key
/// identifies no entry, and following it would compare everything with everything.
#[derive(Default)]
pub(super) struct Keyed {
    count: usize,
    positions: Vec<usize>,
}

impl Keyed {
    pub(super) fn add(&mut self, position: usize) {
        self.count += 1;
        if self.count > ENTRIES_PER_KEY {
            self.positions = Vec::new();
        } else {
            self.positions.push(position);
        }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn positions(&self) -> &[usize] {
        &self.positions
    }
}
