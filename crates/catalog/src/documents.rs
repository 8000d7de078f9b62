//! What the upstreams said, entry by entry: the input of stitching.

use crate::{
    CaskCatalogSource, LabelToolSource, MdmInstallerSource, RecipeEntry, Slug, StoreListingSource,
};

/// One label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelDocument {
    /// The first name: the app's slug.
    pub slug: Slug,
    /// The other names.
    pub other_names: Vec<String>,
    /// The payload.
    pub source: LabelToolSource,
    /// Which of version and address only a running shell can tell.
    pub unresolved: Vec<&'static str>,
}

/// A recipe, and the app's name where the recipe tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipeDocument {
    /// The entry as it is served.
    pub entry: RecipeEntry,
    /// The name its packages show to people.
    pub app_display_name: Option<String>,
}

/// An installer title, and what the titles interface tells beside the served fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TitleDocument {
    /// The title as it is served.
    pub source: MdmInstallerSource,
    /// Who makes the app.
    pub publisher: Option<String>,
    /// When the version became available, as the interface writes it.
    pub available: Option<String>,
}

/// Everything the upstreams said.
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
