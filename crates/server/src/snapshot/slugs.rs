//! Finding an app by its slug in constant time.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::rows::Rows;

/// Every app's JSON starts with its slug, and a slug needs no escaping: so the rows
/// themselves hold the keys, and the table only positions.
const KEY_START: usize = r#"{"slug":""#.len();

pub(crate) struct SlugIndex {
    hasher: DefaultHashBuilder,
    positions: HashTable<u32>,
}

impl SlugIndex {
    pub(crate) fn build(apps: &Rows) -> Self {
        let hasher = DefaultHashBuilder::default();
        let mut table = HashTable::with_capacity(apps.len());
        for position in positions(apps) {
            let hash = hasher.hash_one(slug_of(apps.row(position)));
            table.insert_unique(hash, position, |position| {
                hasher.hash_one(slug_of(apps.row(*position)))
            });
        }
        Self { hasher, positions: table }
    }

    /// How many bytes it is.
    pub(crate) fn size(&self) -> usize {
        self.positions.allocation_size()
    }

    pub(crate) fn find(&self, apps: &Rows, slug: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(slug);
        let is_same = |position: &u32| slug_bytes(apps.row(*position)) == slug.as_bytes();
        self.positions.find(hash, is_same).copied()
    }
}

/// The first slugs that start like this, and how many there are. Rows are in slug order.
pub(super) fn slugs_starting(apps: &Rows, start: &str, limit: usize) -> (Vec<String>, usize) {
    let slug = |position: usize| slug_of(apps.row(u32::try_from(position).unwrap_or(u32::MAX)));
    let first = partition(apps.len(), |position| slug(position) < start);
    let count = partition(apps.len() - first, |offset| slug(first + offset).starts_with(start));
    let shown = (first..first + count.min(limit)).map(|position| slug(position).to_owned());
    (shown.collect(), count)
}

/// How many of the first numbers hold, where those that hold come before all others.
fn partition(length: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, length);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

/// Every position, in slug order.
pub(super) fn positions(apps: &Rows) -> impl Iterator<Item = u32> + use<> {
    (0..).take(apps.len())
}

/// The slug of an app's JSON; it is ASCII, so any cut is text.
pub(super) fn slug_of(app: &[u8]) -> &str {
    std::str::from_utf8(slug_bytes(app)).unwrap_or_default()
}

fn slug_bytes(app: &[u8]) -> &[u8] {
    let rest = app.get(KEY_START..).unwrap_or_default();
    let end = rest.iter().position(|byte| *byte == b'"').unwrap_or_default();
    &rest[..end]
}
