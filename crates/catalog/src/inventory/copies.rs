//! Several copies of an app on one Mac: only the newest counts.

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
};

use super::{Verdict, check::Answer, installed_version::InstalledVersion, place::Place};
use crate::InstalledApp;

/// The app of a row: its Mac and the records that it is.
type Group<'a> = (Option<&'a str>, &'a [u32]);

/// For each row whether another row has a newer copy of the same app on the same Mac.
pub(super) fn others(rows: &[InstalledApp], answers: &[&Answer]) -> Vec<bool> {
    let mut groups: HashMap<Group<'_>, Vec<usize>> = HashMap::new();
    for (number, (row, answer)) in rows.iter().zip(answers).enumerate() {
        // A list without paths is one of releases, not of copies.
        let is_counted = answer.verdict != Verdict::Ignored
            && !answer.positions.is_empty()
            && row.path.as_deref().is_some_and(|path| !path.is_empty());
        if is_counted {
            groups.entry((row.host.as_deref(), &answer.positions)).or_default().push(number);
        }
    }
    let mut is_other = vec![false; rows.len()];
    for ((host, _), mut group) in groups {
        if group.len() < 2 || (host.is_none() && !is_of_one_mac(rows, &group)) {
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
