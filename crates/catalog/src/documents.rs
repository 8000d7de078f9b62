//! The parsed entries of the upstreams: the input of stitching.

use crate::{
    CaskCatalogSource, LabelToolSource, LabelValues, MdmInstallerSource, RecipeEntry, Slug,
    StoreListingSource, bounds::OTHER_NAMES,
};

/// One label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelDocument {
    /// The label's first name, used as the app's slug.
    pub slug: Slug,
    /// The other names.
    pub other_names: Vec<String>,
    /// The payload.
    pub source: LabelToolSource,
    /// The variables (version, URL) that only a running shell can resolve.
    pub unresolved: Vec<&'static str>,
    /// The values that were found by running the label.
    pub found: LabelValues,
}

impl LabelDocument {
    /// The other names that are used.
    pub(crate) fn used_names(&self) -> &[String] {
        &self.other_names[..self.other_names.len().min(OTHER_NAMES)]
    }
}

/// A recipe and, if it contains one, the app's display name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipeDocument {
    /// The entry as served.
    pub entry: RecipeEntry,
    /// The display name used by the recipe's packages.
    pub app_display_name: Option<String>,
}

/// An installer title, with the fields of the titles API that are not served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TitleDocument {
    /// The title as served.
    pub source: MdmInstallerSource,
    /// The publisher of the app.
    pub publisher: Option<String>,
    /// When the version became available, as the API writes it.
    pub available: Option<String>,
}

/// All entries of all upstreams.
#[derive(Debug, Clone, Default)]
pub struct Documents {
    /// The labels.
    pub labels: Vec<LabelDocument>,
    /// The casks.
    pub casks: Vec<CaskCatalogSource>,
    /// The recipes.
    pub recipes: Vec<RecipeDocument>,
    /// The installer titles.
    pub titles: Vec<TitleDocument>,
    /// The store listings.
    pub listings: Vec<StoreListingSource>,
}
