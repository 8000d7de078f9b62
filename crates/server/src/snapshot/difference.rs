//! What changed for readers between two snapshots.

use super::{Draft, Snapshot};

/// How many apps came, changed and went.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Difference {
    pub(crate) added: usize,
    /// Apps whose record or sources differ.
    pub(crate) updated: usize,
    pub(crate) removed: usize,
}

impl Difference {
    /// Compares a snapshot with what would replace it.
    pub(crate) fn between(old: &Snapshot, new: &Draft) -> Self {
        let mut difference = Self::default();
        let (old, new) = (&old.rows, &new.rows);
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
