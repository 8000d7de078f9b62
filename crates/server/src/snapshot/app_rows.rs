//! What is served about each app, row by row: what a draft hands on to the snapshot it becomes.

use std::cmp::Ordering;

use bytes::Bytes;
use hashbrown::HashMap;

use super::{
    listing::Listing,
    rows::Rows,
    slugs::{positions, slug_of},
};

pub(super) struct AppRows {
    pub(super) apps: Listing,
    /// The sources of each app, in the order of `apps`.
    pub(super) sources: Rows,
    /// Where each app's values are from, in the order of `apps`.
    pub(super) provenance: Rows,
    pub(super) drift: Listing,
    /// Where in `drift` an app's entry is, by the app's position.
    pub(super) drift_of_app: HashMap<u32, u32>,
}

impl AppRows {
    pub(super) fn slug(&self, position: u32) -> &str {
        slug_of(self.apps.rows().row(position))
    }

    /// The drift of an app, if it has any.
    pub(super) fn drift_of(&self, position: u32) -> Option<Bytes> {
        self.drift_of_app.get(&position).map(|entry| self.drift.rows().one(*entry))
    }

    /// Walks along these apps and those that replace them, in slug order: both positions of an
    /// app that is in both, else the one it has.
    pub(super) fn paired<'a>(
        &'a self,
        new: &'a Self,
    ) -> impl Iterator<Item = (Option<u32>, Option<u32>)> + 'a {
        let mut left = positions(self.apps.rows()).peekable();
        let mut right = positions(new.apps.rows()).peekable();
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
