//! The difference between two snapshots, as visible to clients.

use crate::{Draft, Snapshot};

/// The numbers of added, updated and removed apps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Difference {
    /// New apps.
    pub added: usize,
    /// Apps whose record or sources differ.
    pub updated: usize,
    /// Removed apps.
    pub removed: usize,
}

impl Difference {
    /// Compares a snapshot with its replacement.
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
