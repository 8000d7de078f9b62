//! What changed for readers between two snapshots.

use std::cmp::Ordering;

use super::{
    Draft, Snapshot,
    slugs::{positions, slug_of},
};

/// How many apps came, changed and went.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Difference {
    pub(crate) added: usize,
    /// Apps whose record or sources differ.
    pub(crate) updated: usize,
    pub(crate) removed: usize,
}

impl Difference {
    /// Compares a snapshot with what would replace it, in one walk along both.
    pub(crate) fn between(old: &Snapshot, new: &Draft) -> Self {
        let mut difference = Self::default();
        let (old_apps, new_apps) = (old.apps.rows(), new.apps.rows());
        let mut left = positions(old_apps).peekable();
        let mut right = positions(new_apps).peekable();
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => return difference,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(l), Some(r)) => slug_of(old_apps.row(*l)).cmp(slug_of(new_apps.row(*r))),
            };
            let gone = (order != Ordering::Greater).then(|| left.next()).flatten();
            let here = (order != Ordering::Less).then(|| right.next()).flatten();
            match (gone, here) {
                (Some(gone), Some(here)) => {
                    let same = old_apps.row(gone) == new_apps.row(here)
                        && old.sources.row(gone) == new.sources.row(here);
                    difference.updated += usize::from(!same);
                }
                (Some(_), None) => difference.removed += 1,
                _ => difference.added += 1,
            }
        }
    }
}
