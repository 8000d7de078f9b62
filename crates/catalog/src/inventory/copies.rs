//! Several copies of an app on one Mac: only the newest counts.

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
};

use super::{Verdict, answer::Answer, installed_version::InstalledVersion, place::Place};
use crate::InstalledApp;

/// The app of a row: its Mac and the records that it is.
type Group<'a> = (Option<&'a str>, &'a [u32]);

/// As many rows as room is made for at once.
const USUAL_ROWS: usize = 16_384;

/// For each row whether another row has a newer copy of the same app on the same Mac.
pub(super) fn others(rows: &[InstalledApp], answers: &[&Answer]) -> Vec<bool> {
    let mut first: HashMap<Group<'_>, usize> = HashMap::with_capacity(rows.len().min(USUAL_ROWS));
    // By their first row. Most rows are alone.
    let mut groups: HashMap<usize, Vec<usize>> = HashMap::new();
    for (number, (row, answer)) in rows.iter().zip(answers).enumerate() {
        // A list without paths is one of releases, not of copies.
        let is_counted = answer.verdict != Verdict::Ignored
            && !answer.positions.is_empty()
            && row.path.as_deref().is_some_and(|path| !path.is_empty());
        if is_counted {
            let first = *first.entry((row.host.as_deref(), &answer.positions)).or_insert(number);
            if first != number {
                groups.entry(first).or_insert_with(|| vec![first]).push(number);
            }
        }
    }
    let mut is_other = vec![false; rows.len()];
    for (first, mut group) in groups {
        if rows[first].host.is_none() && !is_of_one_mac(rows, &group) {
            continue;
        }
        // Versions have no total order, so the first one must not depend on the order of the rows.
        group.sort_by_key(|number| {
            let row = &rows[*number];
            (&row.path, &row.short_version, &row.build, &row.name, &row.bundle_id)
        });
        let newest = group
            .iter()
            .copied()
            .reduce(|best, next| if is_better(&rows[next], &rows[best]) { next } else { best });
        for number in group {
            is_other[number] = Some(number) != newest;
        }
    }
    is_other
}

/// Whether rows without the name of a Mac can be of one Mac: no path is twice.
fn is_of_one_mac(rows: &[InstalledApp], group: &[usize]) -> bool {
    let mut paths = HashSet::new();
    group.iter().all(|number| paths.insert(rows[*number].path.as_deref()))
}

/// Whether a copy counts rather than the other: it is newer, or in a better place.
fn is_better(left: &InstalledApp, right: &InstalledApp) -> bool {
    let versions = InstalledVersion::of(left).order(&InstalledVersion::of(right));
    let place = |row: &InstalledApp| Place::rank(row.path.as_deref());
    let has_version = |row: &InstalledApp| InstalledVersion::of(row).shown().is_some();
    let order = has_version(left)
        .cmp(&has_version(right))
        .then(versions.unwrap_or(Ordering::Equal))
        .then_with(|| place(right).cmp(&place(left)))
        .then_with(|| right.path.cmp(&left.path))
        .then_with(|| left.short_version.cmp(&right.short_version));
    order == Ordering::Greater
}
