//! The Team IDs that sign the apps.
//!
//! A label states the Team ID. A record without a label, or whose label has none, gets the one that
//! all its variants with a label agree on, or the one in the names of its group containers: macOS
//! lets only apps of that team use them.

use std::collections::{BTreeMap, BTreeSet};

use appstitch_types::{CaskCatalogSource, Source, TeamId};

use super::{Parts, product::Agreed, vendors::Attributed};

/// The folders whose entries start with the Team ID.
const TEAM_FOLDERS: [&str; 2] = ["Group Containers/", "Application Scripts/"];

/// The Team ID of each app. `mains` has the position of the main record of each app's product.
pub(super) fn team_ids(
    apps: &[Parts<'_>],
    mains: &[Option<usize>],
    vendors: &[Attributed<String>],
) -> Vec<Attributed<TeamId>> {
    let stated: Vec<Attributed<TeamId>> = apps.iter().map(of_label).collect();
    let of_products = Agreed::of(mains.iter().copied().zip(stated.iter().cloned()));
    let containers = Containers::of(apps, &stated, vendors);
    let all = apps.iter().zip(&stated).zip(mains).zip(vendors);
    all.map(|(((parts, stated), main), vendor)| {
        let of_variants = || of_products.of_key((*main).as_ref()?);
        let of_containers = || {
            let id = containers.team(parts, vendor.as_ref())?;
            Some((Source::CaskCatalog.token(), id))
        };
        stated.clone().or_else(of_variants).or_else(of_containers)
    })
    .collect()
}

fn of_label(parts: &Parts<'_>) -> Attributed<TeamId> {
    let (_, literals) = parts.label.as_ref()?;
    let id = TeamId::parse(literals.text("expectedTeamID")?).ok()?;
    Some((Source::LabelTool.token(), id))
}

/// The Team IDs in the names of group containers, and what speaks against them.
struct Containers {
    /// The vendors of the apps that a label says are signed by the team.
    vendors: BTreeMap<TeamId, BTreeSet<String>>,
    /// The teams of containers of apps that a label says are signed by another one: an app that
    /// changed hands, or a container of the store's edition.
    refuted: BTreeSet<TeamId>,
}

impl Containers {
    fn of(
        apps: &[Parts<'_>],
        stated: &[Attributed<TeamId>],
        vendors: &[Attributed<String>],
    ) -> Self {
        let mut found = Self { vendors: BTreeMap::new(), refuted: BTreeSet::new() };
        let mut named = BTreeSet::new();
        for (parts, stated) in apps.iter().zip(stated) {
            let ids = parts.cask.map(|(cask, _)| named_teams(cask)).unwrap_or_default();
            if let Some((_, stated)) = stated {
                found.refuted.extend(ids.iter().filter(|id| *id != stated).cloned());
            }
            named.extend(ids);
        }
        for (stated, vendor) in stated.iter().zip(vendors) {
            let Some((_, id)) = stated.as_ref().filter(|(_, id)| named.contains(id)) else {
                continue;
            };
            let vendor = vendor.iter().map(|(_, vendor)| vendor.clone());
            found.vendors.entry(id.clone()).or_default().extend(vendor);
        }
        found
    }

    /// The only team in the container names of the app's cask. If apps of the team are known, one of
    /// them must be of the same vendor: casks also remove containers of apps that they extend.
    fn team(&self, parts: &Parts<'_>, vendor: Option<&(&'static str, String)>) -> Option<TeamId> {
        let ids = named_teams(parts.cask?.0);
        let id = ids.first().filter(|_| ids.len() == 1)?;
        let is_known = || {
            let Some(known) = self.vendors.get(id) else { return true };
            vendor.is_some_and(|(_, vendor)| known.contains(vendor))
        };
        (!self.refuted.contains(id) && is_known()).then(|| id.clone())
    }
}

fn named_teams(cask: &CaskCatalogSource) -> BTreeSet<TeamId> {
    let entry = cask.entry_json.as_json();
    let entries = TEAM_FOLDERS.iter().flat_map(|folder| entry.split(folder).skip(1));
    let id = |entry: &str| TeamId::parse(entry.split_once('.')?.0).ok();
    entries.filter_map(id).collect()
}

#[cfg(test)]
mod tests;
