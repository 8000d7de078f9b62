//! Which branches the inputs have reached so far.

use appstitch_probe::coverage;

/// So many counters are looked at in one go. This code counts its own branches as well, which makes
/// short loops expensive.
const GROUP: usize = size_of::<u128>();

/// The branches that were reached.
pub(crate) struct Coverage {
    /// All bits set for every branch that was reached.
    seen: Vec<u8>,
    /// The counters, copied.
    now: Vec<u8>,
}

impl Coverage {
    pub(crate) fn new() -> Self {
        let count = coverage::count().next_multiple_of(GROUP);
        Self { seen: vec![0; count], now: vec![0; count] }
    }

    /// Whether the program was built with coverage.
    pub(crate) fn is_on(&self) -> bool {
        !self.seen.is_empty()
    }

    /// Forgets what was reached since the last look.
    pub(crate) fn clear() {
        coverage::clear();
    }

    /// Whether a branch was reached that was not remembered.
    pub(crate) fn has_new(&mut self) -> bool {
        coverage::copy_to(&mut self.now);
        let groups = self.now.as_chunks::<GROUP>().0.iter().zip(self.seen.as_chunks::<GROUP>().0);
        groups.fold(0, |new, (now, seen)| {
            new | (u128::from_ne_bytes(*now) & !u128::from_ne_bytes(*seen))
        }) != 0
    }

    /// The counters as [`Self::has_new`] saw them.
    pub(crate) fn counters(&self) -> Vec<u8> {
        self.now.clone()
    }

    /// Remembers what some counters say.
    pub(crate) fn remember(&mut self, counters: &[u8]) {
        for (now, seen) in counters.chunks(GROUP).zip(self.seen.chunks_mut(GROUP)) {
            if now == [0; GROUP] {
                continue;
            }
            for (counter, seen) in now.iter().zip(seen) {
                *seen |= if *counter == 0 { 0 } else { u8::MAX };
            }
        }
    }

    /// How many branches were reached.
    pub(crate) fn reached(&self) -> usize {
        self.seen.iter().filter(|seen| **seen != 0).count()
    }
}
