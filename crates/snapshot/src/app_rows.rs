//! The served rows of each app, which a draft passes on to its snapshot.

use std::cmp::Ordering;

use appstitch_types::DriftScope;
use bytes::Bytes;

use crate::{drift_rows::DriftRows, listing::Listing, rows::Rows, slugs::Slugs};

#[derive(Default)]
pub(crate) struct AppRows {
    pub(crate) slugs: Slugs,
    pub(crate) apps: Listing,
    /// The sources of each app, in the order of `apps`.
    pub(crate) sources: Rows,
    /// The provenance of each app's values, in the order of `apps`.
    pub(crate) provenance: Rows,
    pub(crate) drift: [DriftRows; DriftScope::ALL.len()],
    /// A hash of each app's notes, in the order of `apps`. It tells whether they changed.
    pub(crate) note_hashes: Box<[u64]>,
}

impl AppRows {
    pub(crate) fn slug(&self, position: u32) -> &str {
        self.slugs.slug(position)
    }

    pub(crate) fn drift(&self, scope: DriftScope) -> &DriftRows {
        &self.drift[scope.number()]
    }

    /// The drift of an app in the default scope, if it has any.
    pub(crate) fn drift_of(&self, position: u32) -> Option<Bytes> {
        self.drift(DriftScope::default()).of(position)
    }

    /// Merges these apps with the new ones in slug order and yields each app's old and new
    /// position; `None` on the side that does not have the app.
    pub(crate) fn paired<'a>(
        &'a self,
        new: &'a Self,
    ) -> impl Iterator<Item = (Option<u32>, Option<u32>)> + 'a {
        let mut left = self.slugs.positions().peekable();
        let mut right = new.slugs.positions().peekable();
        std::iter::from_fn(move || {
            let order = match (left.peek(), right.peek()) {
                (None, None) => return None,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(here)) => self.slug(*old).cmp(new.slug(*here)),
            };
            let old = left.next_if(|_| order.is_le());
            let here = right.next_if(|_| order.is_ge());
            Some((old, here))
        })
    }
}
