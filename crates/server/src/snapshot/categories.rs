//! What the catalog can be filtered by.

use std::collections::BTreeSet;

use appstitch_catalog::{App, InstallMethod, Source};
use serde::Serialize;
use utoipa::ToSchema;

/// What the catalog can be filtered by.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, ToSchema)]
pub(crate) struct Categories {
    /// Every install method there is, whether an app uses it or not.
    #[schema(value_type = Vec<InstallMethod>)]
    pub(super) install_methods: Vec<&'static str>,
    /// The sources that apps of the catalog carry, sorted.
    pub(super) sources: BTreeSet<&'static str>,
    /// The vendors of the catalog's apps, sorted.
    pub(super) vendors: BTreeSet<String>,
}

impl Categories {
    pub(super) fn new() -> Self {
        let install_methods = InstallMethod::ALL.map(InstallMethod::word).to_vec();
        Self { install_methods, ..Self::default() }
    }

    pub(super) fn add(&mut self, app: &App) {
        self.sources.extend(app.sources.iter().map(Source::token));
        if let Some(vendor) = app.vendor.as_ref().filter(|vendor| !self.vendors.contains(*vendor)) {
            self.vendors.insert(vendor.clone());
        }
    }
}

/// How large the catalog is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct CatalogSummary {
    /// How many apps there are.
    pub(super) total_apps: u64,
    /// How many of them carry each source.
    pub(super) sources: appstitch_catalog::SourceCoverage,
}
