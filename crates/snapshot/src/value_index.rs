//! The rows that have a value in common, with constant-time lookup, ignoring case.

use std::{hash::BuildHasher, num::NonZeroU32};

use appstitch_text::fold_case;
use hashbrown::DefaultHashBuilder;

/// Rows by the hash of a value. The values themselves are in the rows.
#[derive(Default)]
pub(crate) struct ValueIndex {
    hasher: DefaultHashBuilder,
    /// In ascending order.
    hashes: Box<[u64]>,
    /// The row of each hash; rows of the same hash are in order.
    rows: Box<[u32]>,
}

/// The rows of one value: the number of the first one in the index, counted from one. It is small
/// because it is part of the key of every page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ValueRows(NonZeroU32);

impl ValueIndex {
    pub(crate) fn size(&self) -> usize {
        size_of_val(&*self.hashes) + size_of_val(&*self.rows)
    }

    /// The rows of a value; `None` if there are none. The hash is seeded at random with 64 bits, so
    /// that no two values of a catalog have the same one.
    pub(crate) fn find(&self, value: &str) -> Option<ValueRows> {
        let hash = self.hasher.hash_one(fold_case(value));
        let start = self.hashes.partition_point(|known| *known < hash);
        self.hashes.get(start).filter(|known| **known == hash)?;
        // A catalog never has four billion apps, so every number fits.
        u32::try_from(start + 1).ok().and_then(NonZeroU32::new).map(ValueRows)
    }

    pub(crate) fn rows(&self, of: ValueRows) -> &[u32] {
        let start = of.0.get() as usize - 1;
        let Some(hash) = self.hashes.get(start) else { return &[] };
        let length = self.hashes[start..].partition_point(|known| known == hash);
        self.rows.get(start..start + length).unwrap_or_default()
    }
}

#[derive(Default)]
pub(crate) struct ValueIndexBuilder {
    hasher: DefaultHashBuilder,
    entries: Vec<(u64, u32)>,
}

impl ValueIndexBuilder {
    pub(crate) fn push(&mut self, row: u32, value: Option<&str>) {
        if let Some(value) = value {
            self.entries.push((self.hasher.hash_one(fold_case(value)), row));
        }
    }

    pub(crate) fn finish(mut self) -> ValueIndex {
        self.entries.sort_unstable();
        let (hashes, rows): (Vec<u64>, Vec<u32>) = self.entries.into_iter().unzip();
        ValueIndex { hasher: self.hasher, hashes: hashes.into(), rows: rows.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_their_value_whatever_its_case() {
        let mut builder = ValueIndexBuilder::default();
        for (row, value) in [(0, Some("com.a")), (1, None), (2, Some("com.b")), (3, Some("COM.A"))]
        {
            builder.push(row, value);
        }
        let index = builder.finish();
        let rows = |value: &str| index.find(value).map(|of| index.rows(of).to_vec());
        assert_eq!(rows("Com.A"), Some(vec![0, 3]));
        assert_eq!(rows("com.b"), Some(vec![2]));
        assert_eq!(rows("com.c"), None);
        assert_eq!(rows(""), None);
        assert_eq!(ValueIndex::default().find("com.a"), None);
    }
}
