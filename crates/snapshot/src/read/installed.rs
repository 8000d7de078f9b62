//! The check of installed apps against this revision.
//!
//! The index for it takes all payloads to build, so it is built when it is first needed. Publishing
//! and plain reads do not pay for it. Only what the check needs is parsed.

use appstitch_budget::{Budget, Exceeded, Limits};
use appstitch_inventory::{
    InstalledApp,
    check::{CheckOptions, CheckedInventory, InstalledIndex, InstalledPayloads},
};
use appstitch_types::{App, inventory::CheckedApp};
use serde::Deserialize;

use crate::snapshot::Snapshot;

/// What the check needs of an app's provenance.
#[derive(Deserialize)]
struct Names {
    other_names: Vec<String>,
}

impl Snapshot {
    /// Checks the rows of an inventory: one answer for each row, in the same order. The first call
    /// for a revision takes a moment, so it must not run on an async thread. The budget limits the
    /// time of the check and the memory of its answers, not those of the index.
    pub fn check_installed(
        &self,
        rows: Vec<InstalledApp>,
        options: CheckOptions,
        budget: &mut Budget,
    ) -> Result<CheckedInventory, Exceeded> {
        self.installed_index().check_all(rows, options, budget)
    }

    /// Checks one version of an app as if that were installed. It reads that app only, so it does not
    /// need the index. `None` if the rows of the app cannot be read.
    pub fn check_version(&self, position: u32, version: &str) -> Option<CheckedApp> {
        let mut index = InstalledIndex::default();
        self.add_installed(position, &mut index).ok()?;
        let row = InstalledApp {
            token: Some(self.contents.rows.slug(position).to_owned()),
            short_version: Some(version.to_owned()),
            ..InstalledApp::default()
        };
        let options = CheckOptions::default();
        let checked = index.finish().check_all(vec![row], options, &mut Budget::new(Limits::NONE));
        checked.ok()?.into_iter().next()
    }

    pub(super) fn installed_index(&self) -> &InstalledIndex {
        self.contents.installed.get_or_init(|| {
            let mut index = InstalledIndex::default();
            for position in self.contents.rows.slugs.positions() {
                if let Err(error) = self.add_installed(position, &mut index) {
                    // This crate wrote the rows, so they can always be parsed.
                    tracing::error!(%error, position, "cannot parse the rows of an app");
                }
            }
            index.finish()
        })
    }

    fn add_installed(
        &self,
        position: u32,
        index: &mut InstalledIndex,
    ) -> Result<(), serde_json::Error> {
        let rows = &self.contents.rows;
        let app: App = serde_json::from_slice(rows.apps.rows().row(position))?;
        let payloads: InstalledPayloads<'_> = serde_json::from_slice(rows.sources.row(position))?;
        let Names { other_names } = serde_json::from_slice(rows.provenance.row(position))?;
        let main = self.contents.variants.of(position).first().map(|main| rows.slug(*main));
        index.push(&app, &payloads, &other_names, main);
        Ok(())
    }
}
