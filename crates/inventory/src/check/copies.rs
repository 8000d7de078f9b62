//! Several copies of an app on one Mac: only the newest counts.

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
};

use appstitch_types::inventory::Verdict;

use super::{
    decision::Decision, install_location::InstallLocation, installed_version::InstalledVersion,
};
use crate::installed_app::InstalledApp;

pub(super) const SIZE: usize = size_of::<(u64, u32)>();

/// For each row whether another row has a newer copy of the same app on the same Mac. `numbers` are
/// those of the results.
pub(super) fn others(rows: &[InstalledApp], numbers: &[u32], apps: &AppGroups) -> Vec<bool> {
    let mut hosts = HostNumbers::default();
    let mut counted: Vec<(u64, u32)> = Vec::with_capacity(rows.len());
    for (at, (row, number)) in (0..).zip(rows.iter().zip(numbers)) {
        // A list without paths is one of releases, not of copies.
        let has_path = row.path.as_deref().is_some_and(|path| !path.is_empty());
        if let Some(app) = apps.of_results[*number as usize].filter(|_| has_path) {
            let host = hosts.number(row.host.as_deref());
            counted.push((u64::from(host) << 32 | u64::from(app), at));
        }
    }
    counted.sort_unstable();
    let mut is_other = vec![false; rows.len()];
    // Most rows are alone.
    for same in counted.chunk_by(|left, right| left.0 == right.0).filter(|same| same.len() > 1) {
        let mut group: Vec<usize> = same.iter().map(|(_, at)| *at as usize).collect();
        if rows[group[0]].host.is_none() && !is_of_one_mac(rows, &group) {
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

/// Which results are about the same records.
#[derive(Default)]
pub(super) struct AppGroups {
    /// The number of each result's records; `None` if there are none, or if they do not count.
    of_results: Vec<Option<u32>>,
    /// The numbers of several records together.
    several: HashMap<Vec<u32>, u32>,
}

impl AppGroups {
    /// Adds the next decision. Returns how many bytes it takes besides its number.
    pub(super) fn add(&mut self, decision: Decision<'_>) -> usize {
        let Decision { verdict, positions, .. } = decision;
        let mut taken = 0;
        let number = if verdict == Verdict::Ignored {
            None
        } else if positions.len() > 1 {
            // Positions are counted from below.
            let next = u32::MAX - u32::try_from(self.several.len()).unwrap_or_default();
            taken = size_of_val(&*positions) + size_of::<(Vec<u32>, u32)>();
            Some(*self.several.entry(positions.into_owned()).or_insert(next))
        } else {
            positions.first().copied()
        };
        self.of_results.push(number);
        taken
    }
}

#[derive(Default)]
struct HostNumbers<'a> {
    known: HashMap<&'a str, u32>,
    /// The rows of a Mac usually follow one another.
    last: Option<(&'a str, u32)>,
}

impl<'a> HostNumbers<'a> {
    /// The number of a Mac; zero if it has no name.
    fn number(&mut self, host: Option<&'a str>) -> u32 {
        let Some(host) = host else { return 0 };
        if let Some((last, number)) = self.last
            && last == host
        {
            return number;
        }
        let next = u32::try_from(self.known.len() + 1).unwrap_or(u32::MAX);
        let number = *self.known.entry(host).or_insert(next);
        self.last = Some((host, number));
        number
    }
}

/// Whether rows without the name of a Mac can be of one Mac: no path is twice.
fn is_of_one_mac(rows: &[InstalledApp], group: &[usize]) -> bool {
    /// Up to this many are compared pairwise.
    const FEW: usize = 8;
    let path = |number: &usize| rows[*number].path.as_deref();
    if group.len() <= FEW {
        let is_first = |at: usize| group[..at].iter().all(|other| path(other) != path(&group[at]));
        return (1..group.len()).all(is_first);
    }
    let mut paths = HashSet::new();
    group.iter().all(|number| paths.insert(path(number)))
}

/// Whether a copy counts rather than the other: it is newer, or its path is more usual.
fn is_better(left: &InstalledApp, right: &InstalledApp) -> bool {
    let versions = InstalledVersion::of(left).order(&InstalledVersion::of(right));
    let rank = |row: &InstalledApp| InstallLocation::rank(row.path.as_deref());
    let has_version = |row: &InstalledApp| InstalledVersion::of(row).shown().is_some();
    let order = has_version(left)
        .cmp(&has_version(right))
        .then(versions.unwrap_or(Ordering::Equal))
        .then_with(|| rank(right).cmp(&rank(left)))
        .then_with(|| right.path.cmp(&left.path))
        .then_with(|| left.short_version.cmp(&right.short_version));
    order == Ordering::Greater
}
