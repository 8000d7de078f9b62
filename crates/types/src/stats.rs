//! Statistics of the whole catalog.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::source::{Source, SourceSet};

/// The number of apps with data from each source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct SourceCoverage {
    /// Apps with a label.
    pub label_tool: u64,
    /// Apps with a cask.
    pub cask_catalog: u64,
    /// Apps with an installer title.
    pub mdm_installer: u64,
    /// Apps with recipes.
    pub recipe_index: u64,
}

impl SourceCoverage {
    /// The number of apps with a source; `None` for one that apps do not list.
    pub const fn get(&self, source: Source) -> Option<u64> {
        match source {
            Source::LabelTool => Some(self.label_tool),
            Source::CaskCatalog => Some(self.cask_catalog),
            Source::MdmInstaller => Some(self.mdm_installer),
            Source::RecipeIndex => Some(self.recipe_index),
            Source::StoreListing => None,
        }
    }

    fn of(&mut self, source: Source) -> Option<&mut u64> {
        match source {
            Source::LabelTool => Some(&mut self.label_tool),
            Source::CaskCatalog => Some(&mut self.cask_catalog),
            Source::MdmInstaller => Some(&mut self.mdm_installer),
            Source::RecipeIndex => Some(&mut self.recipe_index),
            Source::StoreListing => None,
        }
    }

    /// Counts an app with these sources.
    pub fn count(&mut self, sources: SourceSet) {
        for source in sources.iter() {
            if let Some(count) = self.of(source) {
                *count += 1;
            }
        }
    }
}

/// Statistics of the catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CatalogStats {
    /// The number of apps.
    pub total_apps: u64,
    /// The number of apps with data from each source.
    pub sources: SourceCoverage,
    /// When the served catalog last changed; null until the first upload.
    #[schema(required = true)]
    pub last_refresh: Option<Timestamp>,
    /// The token inside the `ETag` of `/apps*`; null until the first upload.
    #[schema(required = true)]
    pub catalog_sha: Option<String>,
    /// The same value as `catalog_sha`.
    #[schema(required = true)]
    pub catalog_version: Option<String>,
    /// The number of manual records among the apps. New data of the sources cannot update them.
    #[serde(default)]
    #[schema(required = true)]
    pub manual_records: u64,
}
