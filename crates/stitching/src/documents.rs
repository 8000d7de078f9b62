//! The parsed entries of the upstreams: the input of stitching.

use appstitch_types::{
    CaskCatalogSource, LabelToolSource, LabelValues, MdmInstallerSource, RecipeEntry, Slug,
    StoreListingSource,
};

use crate::bounds::OTHER_NAMES;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelDocument {
    /// The label's first name, used as the app's slug.
    pub slug: Slug,
    pub other_names: Vec<String>,
    pub source: LabelToolSource,
    /// The variables (version, URL) that only a running shell can resolve.
    pub unresolved: Vec<&'static str>,
    pub found: LabelValues,
}

impl LabelDocument {
    pub(crate) fn used_names(&self) -> &[String] {
        &self.other_names[..self.other_names.len().min(OTHER_NAMES)]
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipeDocument {
    pub entry: RecipeEntry,
    /// The display name used by the recipe's packages.
    pub app_display_name: Option<String>,
}

/// An installer title, with the fields of the titles API that are not served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TitleDocument {
    pub source: MdmInstallerSource,
    pub publisher: Option<String>,
    /// When the version became available, as the API writes it.
    pub available: Option<String>,
}

#[derive(Debug, Clone, Default)]
pub struct Documents {
    pub labels: Vec<LabelDocument>,
    pub casks: Vec<CaskCatalogSource>,
    pub recipes: Vec<RecipeDocument>,
    pub titles: Vec<TitleDocument>,
    pub listings: Vec<StoreListingSource>,
}
