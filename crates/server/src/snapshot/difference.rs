//! What changed for readers between two snapshots.

use std::cmp::Ordering;

use serde::Serialize;

use super::{Draft, Snapshot, rows::Rows, slugs::slug_of};

/// How many apps came, changed and went.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Difference {
    /// Slugs that are new, in order.
    #[serde(skip)]
    pub added_slugs: Vec<String>,
    /// Slugs that are gone, in order.
    #[serde(skip)]
    pub removed_slugs: Vec<String>,
    /// Apps whose record or sources differ.
    pub updated: usize,
}

impl Difference {
    /// Compares a snapshot with what would replace it, in one walk along both.
    #[must_use]
    pub fn between(old: &Snapshot, new: &Draft) -> Self {
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
                (Some(gone), None) => difference.removed_slugs.push(slug(old_apps, gone)),
                (None, Some(here)) => difference.added_slugs.push(slug(new_apps, here)),
                (None, None) => return difference,
            }
        }
    }
}

fn positions(rows: &Rows) -> impl Iterator<Item = u32> {
    (0..).take(rows.len())
}

fn slug(rows: &Rows, position: u32) -> String {
    String::from_utf8_lossy(slug_of(rows.row(position))).into_owned()
}
