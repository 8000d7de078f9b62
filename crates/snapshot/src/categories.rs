//! What the catalog can be filtered by.

use std::collections::BTreeSet;

use appstitch_catalog::{App, InstallMethod, Source};
use serde::Serialize;
use utoipa::ToSchema;

/// What the catalog can be filtered by.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, ToSchema)]
pub struct Categories {
    /// Every install method there is, whether an app uses it or not.
    #[schema(value_type = Vec<InstallMethod>)]
    pub(crate) install_methods: Vec<&'static str>,
    /// The sources that apps of the catalog carry, sorted.
    pub(crate) sources: BTreeSet<&'static str>,
    /// The vendors of the catalog's apps, sorted.
    pub(crate) vendors: BTreeSet<String>,
}

impl Categories {
    pub(crate) fn new() -> Self {
        let install_methods = InstallMethod::ALL.map(InstallMethod::word).to_vec();
        Self { install_methods, ..Self::default() }
    }

    pub(crate) fn add(&mut self, app: &App) {
        self.sources.extend(app.sources.iter().map(Source::token));
        if let Some(vendor) = app.vendor.as_ref().filter(|vendor| !self.vendors.contains(*vendor)) {
            self.vendors.insert(vendor.clone());
        }
    }
}

/// How large the catalog is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CatalogSummary {
    /// How many apps there are.
    pub(crate) total_apps: u64,
    /// How many of them carry each source.
    pub(crate) sources: appstitch_catalog::SourceCoverage,
}
