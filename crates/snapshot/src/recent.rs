//! The most recently added apps.

use std::{cmp::Reverse, collections::HashMap};

use crate::slugs::Slugs;

pub const MOST_RECENT: usize = 100;

/// The positions of the newest apps, newest first. Apps without an insertion number are the newest:
/// the store is about to number them, in slug order.
pub(crate) fn newest(slugs: &Slugs, insertions: &HashMap<String, u64>) -> Box<[u32]> {
    let number = |position: u32| insertions.get(slugs.slug(position)).copied();
    let mut all: Vec<(Reverse<u64>, Reverse<u32>)> = slugs
        .positions()
        .map(|position| (Reverse(number(position).unwrap_or(u64::MAX)), Reverse(position)))
        .collect();
    if all.len() > MOST_RECENT {
        all.select_nth_unstable(MOST_RECENT);
        all.truncate(MOST_RECENT);
    }
    all.sort_unstable();
    all.into_iter().map(|(_, Reverse(position))| position).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slugs::SlugsBuilder;

    #[test]
    fn the_newest_come_first_and_those_without_a_number_before_them() {
        let mut slugs = SlugsBuilder::with_capacity(0);
        for slug in ["a", "b", "c", "d", "e"] {
            slugs.push(slug);
        }
        let insertions = [("a", 9), ("c", 3), ("d", 7)];
        let insertions = insertions.map(|(slug, number)| (slug.to_owned(), number)).into();
        assert_eq!(*newest(&slugs.finish(), &insertions), [4, 1, 0, 3, 2]);
    }

    #[test]
    fn only_so_many_are_kept() {
        let mut slugs = SlugsBuilder::with_capacity(0);
        let all: Vec<String> = (0..300).map(|number| format!("app-{number:03}")).collect();
        for slug in &all {
            slugs.push(slug);
        }
        let insertions = all.into_iter().zip((1..).map(|number| number * 7 % 301)).collect();
        let newest = newest(&slugs.finish(), &insertions);
        assert_eq!(newest.len(), MOST_RECENT);
    }
}
