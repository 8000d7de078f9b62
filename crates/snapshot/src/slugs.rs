//! The slugs of a catalog, in order and with constant-time lookup.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// All slugs in one buffer, with a hash table from each slug to its position.
#[derive(Default)]
pub(crate) struct Slugs {
    text: Box<str>,
    /// The start of each slug, and the end of the last one.
    starts: Box<[usize]>,
    hasher: DefaultHashBuilder,
    positions: HashTable<u32>,
}

impl Slugs {
    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    pub(crate) fn size(&self) -> usize {
        self.text.len() + size_of_val(&*self.starts) + self.positions.allocation_size()
    }

    #[inline]
    pub(crate) fn slug(&self, position: u32) -> &str {
        let position = position as usize;
        &self.text[self.starts[position]..self.starts[position + 1]]
    }

    #[inline]
    pub(crate) fn find(&self, slug: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(slug);
        self.positions.find(hash, |position| self.slug(*position) == slug).copied()
    }

    pub(crate) fn positions(&self) -> impl Iterator<Item = u32> + use<> {
        (0..).take(self.len())
    }

    /// The first slugs with a prefix, and the number of all slugs with it.
    pub(crate) fn starting_with(&self, prefix: &str, limit: usize) -> (Vec<String>, usize) {
        let slug = |position: usize| self.slug(u32::try_from(position).unwrap_or(u32::MAX));
        let first = partition(self.len(), |position| slug(position) < prefix);
        let count =
            partition(self.len() - first, |offset| slug(first + offset).starts_with(prefix));
        let shown = (first..first + count.min(limit)).map(|position| slug(position).to_owned());
        (shown.collect(), count)
    }
}

/// The first number below `length` for which `holds` is false; `holds` must be true for all numbers
/// before it and false for all after it.
fn partition(length: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, length);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

/// Slugs being collected, in ascending order.
pub(crate) struct SlugsBuilder {
    text: String,
    starts: Vec<usize>,
}

impl SlugsBuilder {
    pub(crate) fn with_capacity(slugs: usize) -> Self {
        let mut starts = Vec::with_capacity(slugs + 1);
        starts.push(0);
        Self { text: String::new(), starts }
    }

    pub(crate) fn push(&mut self, slug: &str) {
        self.text.push_str(slug);
        self.starts.push(self.text.len());
    }

    pub(crate) fn finish(self) -> Slugs {
        let mut slugs =
            Slugs { text: self.text.into(), starts: self.starts.into(), ..Slugs::default() };
        let mut table = HashTable::with_capacity(slugs.len());
        for position in slugs.positions() {
            let hash = |position: &u32| slugs.hasher.hash_one(slugs.slug(*position));
            table.insert_unique(hash(&position), position, hash);
        }
        slugs.positions = table;
        slugs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slugs(all: &[&str]) -> Slugs {
        let mut builder = SlugsBuilder::with_capacity(all.len());
        for slug in all {
            builder.push(slug);
        }
        builder.finish()
    }

    #[test]
    fn every_slug_is_found_at_its_position() {
        let slugs = slugs(&["a", "ab", "b"]);
        for (position, slug) in [(0, "a"), (1, "ab"), (2, "b")] {
            assert_eq!(slugs.find(slug), Some(position));
            assert_eq!(slugs.slug(position), slug);
        }
        assert_eq!(slugs.find("abc"), None);
        assert_eq!(slugs.find(""), None);
        assert_eq!(Slugs::default().find("a"), None);
    }

    #[test]
    fn slugs_are_completed_in_order() {
        let slugs = slugs(&["a", "ab", "abc", "b"]);
        assert_eq!(slugs.starting_with("ab", 1), (vec!["ab".to_owned()], 2));
        assert_eq!(slugs.starting_with("", 9).1, 4);
        assert_eq!(slugs.starting_with("c", 9), (vec![], 0));
        assert_eq!(Slugs::default().starting_with("", 9), (vec![], 0));
    }
}
