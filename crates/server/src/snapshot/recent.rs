//! The apps that came in last.

use std::{cmp::Reverse, collections::HashMap};

use super::{rows::Rows, slugs::slug_of};

/// How many of the newest apps can be asked for.
pub(crate) const MOST_RECENT: usize = 100;

/// The positions of the newest apps, the last one first. Apps without an insertion number are
/// about to get theirs, in slug order.
pub(super) fn newest(apps: &Rows, insertions: &HashMap<String, u64>) -> Box<[u32]> {
    let number = |position: u32| insertions.get(slug_of(apps.row(position))).copied();
    let mut all: Vec<(Reverse<u64>, Reverse<u32>)> = (0_u32..)
        .take(apps.len())
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
    use serde_json::json;

    use super::{super::rows::RowsBuilder, *};

    #[test]
    fn the_newest_come_first_and_those_without_a_number_before_them() {
        let mut rows = RowsBuilder::new();
        for slug in ["a", "b", "c", "d", "e"] {
            rows.push(|buffer| serde_json::to_writer(buffer, &json!({ "slug": slug }))).unwrap();
        }
        let insertions = [("a", 9), ("c", 3), ("d", 7)];
        let insertions = insertions.map(|(slug, number)| (slug.to_owned(), number)).into();
        assert_eq!(*newest(&rows.finish(), &insertions), [4, 1, 0, 3, 2]);
    }

    #[test]
    fn only_so_many_are_kept() {
        let mut rows = RowsBuilder::new();
        let slugs: Vec<String> = (0..300).map(|number| format!("app-{number:03}")).collect();
        for slug in &slugs {
            rows.push(|buffer| serde_json::to_writer(buffer, &json!({ "slug": slug }))).unwrap();
        }
        let insertions = slugs.into_iter().zip((1..).map(|number| number * 7 % 301)).collect();
        let newest = newest(&rows.finish(), &insertions);
        assert_eq!(newest.len(), MOST_RECENT);
    }
}
