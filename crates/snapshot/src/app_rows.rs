//! The served rows of each app, which a draft passes on to its snapshot.

use std::cmp::Ordering;

use bytes::Bytes;
use hashbrown::HashMap;

use crate::{listing::Listing, rows::Rows, slugs::Slugs};

#[derive(Default)]
pub(crate) struct AppRows {
    /// The slug of each app, in order.
    pub(crate) slugs: Slugs,
    pub(crate) apps: Listing,
    /// The sources of each app, in the order of `apps`.
    pub(crate) sources: Rows,
    /// The provenance of each app's values, in the order of `apps`.
    pub(crate) provenance: Rows,
    pub(crate) drift: Listing,
    /// Maps an app's position to the position of its entry in `drift`.
    pub(crate) drift_of_app: HashMap<u32, u32>,
}

impl AppRows {
    pub(crate) fn slug(&self, position: u32) -> &str {
        self.slugs.slug(position)
    }

    /// The drift of an app, if it has any.
    pub(crate) fn drift_of(&self, position: u32) -> Option<Bytes> {
        self.drift_of_app.get(&position).map(|entry| self.drift.rows().one(*entry))
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
