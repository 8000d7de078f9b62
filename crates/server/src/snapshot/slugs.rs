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
        let mut positions = HashTable::with_capacity(apps.len());
        for position in (0_u32..).take(apps.len()) {
            let hash = hasher.hash_one(slug_of(apps.row(position)));
            positions.insert_unique(hash, position, |position| {
                hasher.hash_one(slug_of(apps.row(*position)))
            });
        }
        Self { hasher, positions }
    }

    pub(crate) fn find(&self, apps: &Rows, slug: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(slug);
        self.positions.find(hash, |position| slug_of(apps.row(*position)) == slug).copied()
    }
}

/// The slug of an app's JSON; it is ASCII, so any cut is text.
pub(super) fn slug_of(app: &[u8]) -> &str {
    let rest = app.get(KEY_START..).unwrap_or_default();
    let end = rest.iter().position(|byte| *byte == b'"').unwrap_or_default();
    std::str::from_utf8(&rest[..end]).unwrap_or_default()
}
