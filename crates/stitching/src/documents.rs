//! The parsed entries of the upstreams: the input of stitching.

use std::collections::HashMap;

use appstitch_types::{
    CaskCatalogSource, LabelToolSource, LabelValues, MdmInstallerSource, RecipeEntry, SeenVersion,
    Slug, StoreListingSource,
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

/// A title of the patch catalog: a code for a product, or for one major version of it. It is no app
/// and no payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchTitle {
    pub code: String,
    pub name: String,
    pub publisher: Option<String>,
    pub version: Option<String>,
    /// Whether it covers all versions of the product.
    pub covers_all_versions: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Documents {
    pub labels: Vec<LabelDocument>,
    pub casks: Vec<CaskCatalogSource>,
    pub recipes: Vec<RecipeDocument>,
    pub titles: Vec<TitleDocument>,
    pub listings: Vec<StoreListingSource>,
    pub patch_titles: Vec<PatchTitle>,
    /// The versions that the public tracker found, oldest first, by the name of their label.
    pub tracked: HashMap<String, Vec<SeenVersion>>,
}
