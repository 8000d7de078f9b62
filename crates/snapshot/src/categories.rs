//! The values that apps can be grouped by, and the size of the catalog.

use std::collections::BTreeSet;

use appstitch_types::{App, InstallMethod, Source};
use serde::Serialize;
use utoipa::ToSchema;

/// The values that apps can be grouped by.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, ToSchema)]
pub struct Categories {
    /// All install methods, including those that no app uses.
    #[schema(value_type = Vec<InstallMethod>)]
    pub(crate) install_methods: Vec<&'static str>,
    /// The sources of the catalog's apps, sorted.
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

/// The size of the catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CatalogSummary {
    /// The number of apps.
    pub(crate) total_apps: u64,
    /// The number of apps per source.
    pub(crate) sources: appstitch_types::SourceCoverage,
}
