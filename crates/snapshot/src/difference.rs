//! What changed for readers between two snapshots.

use crate::{Draft, Snapshot};

/// How many apps came, changed and went.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Difference {
    /// New apps.
    pub added: usize,
    /// Apps whose record or sources differ.
    pub updated: usize,
    /// Apps that are gone.
    pub removed: usize,
}

impl Difference {
    /// Compares a snapshot with what would replace it.
    #[must_use]
    pub fn between(old: &Snapshot, new: &Draft) -> Self {
        let mut difference = Self::default();
        let (old, new) = (&old.contents.rows, &new.rows);
        for pair in old.paired(new) {
            match pair {
                (Some(gone), Some(here)) => {
                    let same = old.apps.rows().row(gone) == new.apps.rows().row(here)
                        && old.sources.row(gone) == new.sources.row(here);
                    difference.updated += usize::from(!same);
                }
                (Some(_), None) => difference.removed += 1,
                _ => difference.added += 1,
            }
        }
        difference
    }
}
