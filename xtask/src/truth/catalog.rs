//! The catalog as stitched from the real files.

use std::{collections::HashMap, path::Path};

use appstitch_stitching::Stitched;
use appstitch_types::InstallMethod;

use crate::{
    real_files::{Files, stitched},
    run::Failure,
};

/// Every app, by its slug and its other names.
pub(super) struct Catalog {
    apps: Vec<Stitched>,
    by_name: HashMap<String, usize>,
}

impl Catalog {
    pub(super) fn stitch(data: &Path, files: Files) -> Result<Self, Failure> {
        let apps = stitched(data, files)?;
        let mut by_name = HashMap::new();
        for (position, stitched) in apps.iter().enumerate() {
            by_name.insert(stitched.record.app.slug.to_string(), position);
        }
        for (position, stitched) in apps.iter().enumerate() {
            let cask = stitched.record.sources.iter().flat_map(|sources| &sources.cask_catalog);
            let token = cask.map(|cask| cask.token.clone());
            for name in stitched.provenance.other_names.iter().cloned().chain(token) {
                by_name.entry(name).or_insert(position);
            }
        }
        Ok(Self { apps, by_name })
    }

    /// The app with this slug, or else with one of the names.
    pub(super) fn find(&self, slug: &str, names: &[String]) -> Option<&Stitched> {
        let mut all = std::iter::once(slug).chain(names.iter().map(String::as_str));
        all.find_map(|name| self.by_name.get(name)).map(|position| &self.apps[*position])
    }

    /// Every app, in slug order.
    pub(super) fn apps(&self) -> &[Stitched] {
        &self.apps
    }

    /// How many apps have each value.
    pub(super) fn coverage(&self) -> Vec<(&'static str, usize)> {
        let count = |has: &dyn Fn(&Stitched) -> bool| {
            self.apps.iter().filter(|stitched| has(stitched)).count()
        };
        let mut owners: HashMap<String, usize> = HashMap::new();
        for stitched in &self.apps {
            if let Some(id) = &stitched.record.app.bundle_id {
                *owners.entry(id.to_lowercase()).or_default() += 1;
            }
        }
        vec![
            ("apps", self.apps.len()),
            ("vendor", count(&|stitched| stitched.record.app.vendor.is_some())),
            ("bundle id", count(&|stitched| stitched.record.app.bundle_id.is_some())),
            ("bundle ids of several apps", owners.values().filter(|count| **count > 1).count()),
            ("version", count(&|stitched| stitched.record.app.current_version.is_some())),
            ("download URL", count(&|stitched| stitched.record.app.download_url.is_some())),
            ("install method", count(&|stitched| stitched.record.app.install_method.is_some())),
            (
                "package",
                count(&|stitched| {
                    stitched.record.app.install_method.is_some_and(InstallMethod::is_package)
                }),
            ),
            ("Team ID", count(&|stitched| stitched.record.app.expected_team_id.is_some())),
            (
                "label and cask",
                count(&|stitched| {
                    stitched.record.sources.as_ref().is_some_and(|sources| {
                        sources.label_tool.is_some() && sources.cask_catalog.is_some()
                    })
                }),
            ),
        ]
    }
}
