//! Splits many rows into statements of a bounded size. A statement gets its rows as arrays, one for
//! each column.

use std::{borrow::Cow, collections::HashSet, hash::Hash};

use super::text::written;

/// The most bytes of a batch, unless one row has more.
const MOST_BYTES: usize = 4 << 20;

const MOST_ROWS: usize = 10_000;

pub(super) fn batches<T>(rows: &[T], bytes: impl Fn(&T) -> usize) -> impl Iterator<Item = &[T]> {
    let mut rest = rows;
    std::iter::from_fn(move || {
        let mut total = 0;
        let fits = |row: &&T| {
            total += bytes(row);
            total <= MOST_BYTES
        };
        let length = rest.iter().take(MOST_ROWS).take_while(fits).count().max(1).min(rest.len());
        let (batch, others) = rest.split_at(length);
        rest = others;
        (!batch.is_empty()).then_some(batch)
    })
}

/// The last row of each name, in their order. One statement cannot write a row twice.
pub(super) fn last_of_each<'a, T, K: Eq + Hash>(
    rows: &'a [T],
    name: impl Fn(&'a T) -> K,
) -> Vec<&'a T> {
    let mut seen = HashSet::with_capacity(rows.len());
    let mut last: Vec<&T> = rows.iter().rev().filter(|row| seen.insert(name(row))).collect();
    last.reverse();
    last
}

pub(super) fn texts<'a, T>(rows: &[&'a T], text: impl Fn(&'a T) -> &'a str) -> Vec<Cow<'a, str>> {
    rows.iter().map(|row| written(text(row))).collect()
}

pub(super) fn optional_texts<'a, T>(
    rows: &[&'a T],
    text: impl Fn(&'a T) -> Option<&'a str>,
) -> Vec<Option<Cow<'a, str>>> {
    rows.iter().map(|row| text(row).map(written)).collect()
}

pub(super) fn values<'a, T, V>(rows: &[&'a T], value: impl Fn(&'a T) -> V) -> Vec<V> {
    rows.iter().map(|row| value(row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_bounded_and_complete() {
        let sizes = [3 << 20, 1 << 20, 1, 9 << 20, 5 << 20, 1, 2];
        let lengths: Vec<usize> = batches(&sizes, |size| *size).map(<[usize]>::len).collect();
        assert_eq!(lengths, [2, 1, 1, 1, 2]);
        assert_eq!(batches(&[0; 0], |size| *size).count(), 0);
        assert_eq!(batches(&vec![0; MOST_ROWS + 1], |size| *size).count(), 2);
    }

    #[test]
    fn the_last_row_of_a_name_wins() {
        let rows = [("a", 1), ("b", 2), ("a", 3)];
        assert_eq!(last_of_each(&rows, |row| row.0), [&("b", 2), &("a", 3)]);
    }
}
