//! What each source said about an app, as the sources endpoint serves it.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::{RawObject, Source, SourceSet, Uri};

/// The raw payloads behind one app. Every key is always present; null where a source
/// contributed nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct AppSources {
    /// The label and its assignments.
    pub label_tool: Option<LabelToolSource>,
    /// The cask entry.
    pub cask_catalog: Option<CaskCatalogSource>,
    /// Every matching recipe.
    pub recipe_index: Option<RecipeIndexSource>,
    /// The store's answer; a payload only, never a token in `sources`.
    pub store_listing: Option<StoreListingSource>,
    /// The management vendor's installer title.
    pub mdm_installer: Option<MdmInstallerSource>,
}

impl AppSources {
    /// The tokens of the sources that have a payload here.
    #[must_use]
    pub fn tokens(&self) -> SourceSet {
        [
            (self.label_tool.is_some(), Source::LabelTool),
            (self.cask_catalog.is_some(), Source::CaskCatalog),
            (self.recipe_index.is_some(), Source::RecipeIndex),
            (self.mdm_installer.is_some(), Source::MdmInstaller),
        ]
        .into_iter()
        .filter_map(|(present, source)| present.then_some(source))
        .collect()
    }

    /// Whether no source has a payload here.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// An installer label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LabelToolSource {
    /// The label's name.
    pub label_name: String,
    /// Where the label's fragment can be read.
    #[schema(value_type = String, format = "uri", min_length = 1, max_length = 2083)]
    pub label_url: Uri,
    /// The label's variables as upstream wrote them.
    #[schema(value_type = Object, additional_properties = true)]
    pub raw: RawObject,
}

impl LabelToolSource {
    /// The key of `raw` under which the values stand that the label's text alone, or somebody
    /// who ran it, tells. The other keys are the label's variables as upstream wrote them.
    pub const RESOLVED: &str = "resolved";

    /// The key of `raw` under which the function stands, as upstream wrote it, with which the
    /// label finds the installed version.
    pub const VERSION_FUNCTION: &str = "appCustomVersion()";

    /// The key of `raw` under which the values stand that are others on an Intel Mac; null
    /// where the label has none there, or only a shell can tell it.
    pub const RESOLVED_INTEL: &str = "resolved_intel";
}

/// A cask.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CaskCatalogSource {
    /// The cask's token.
    pub token: String,
    /// The upstream entry, verbatim.
    #[schema(value_type = Object, additional_properties = true)]
    pub entry_json: RawObject,
}

/// The recipes of an app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecipeIndexSource {
    /// Every match, each as its own entry.
    pub recipes: Vec<RecipeEntry>,
}

/// One recipe of the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecipeEntry {
    /// The recipe's unique identifier.
    pub identifier: String,
    /// The recipe's name; null for shared-processor recipes.
    pub name: Option<String>,
    /// The short name, which some recipes lack.
    pub shortname: Option<String>,
    /// The repository that holds the recipe.
    pub repo: String,
    /// The recipe's path inside its repository.
    pub path: String,
    /// The recipe this one builds on.
    pub parent_identifier: Option<String>,
    /// What the recipe does, read from its file name or identifier.
    pub inferred_type: Option<String>,
    /// Where the recipe can be read.
    #[serde(default, deserialize_with = "uri_or_null")]
    #[schema(value_type = Option<String>, format = "uri", min_length = 1, max_length = 2083)]
    pub recipe_url: Option<Uri>,
}

/// A store listing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StoreListingSource {
    /// The app's bundle identifier.
    pub bundle_id: String,
    /// The app's page in the store.
    #[serde(default, deserialize_with = "uri_or_null")]
    #[schema(value_type = Option<String>, format = "uri", min_length = 1, max_length = 2083)]
    pub store_url: Option<Uri>,
    /// The store's answer, verbatim.
    #[schema(value_type = Object, additional_properties = true)]
    pub raw: RawObject,
}

/// A title of the management vendor's installer catalog.
///
/// `title`, `source` and `host` come from the public table; the rest is enrichment and
/// null on rows that only the table has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MdmInstallerSource {
    /// The title.
    pub title: String,
    /// Who hosts and signs the installer.
    pub source: String,
    /// The host the installer comes from.
    pub host: Option<String>,
    /// The app's bundle identifier.
    pub bundle_id: Option<String>,
    /// The version on offer.
    pub version: Option<String>,
    /// The title code; a string even when it looks like a number.
    pub mgmt_id: Option<String>,
    /// Where the installer is downloaded from, as upstream wrote it.
    pub download_url: Option<String>,
    /// The processor architecture of the installer.
    pub architecture: Option<String>,
}

/// An address where the field may be null: what is no address becomes null.
fn uri_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Uri>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.and_then(|text| Uri::parse(&text).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_five_keys_are_written_even_when_null() {
        assert_eq!(
            serde_json::to_string(&AppSources::default()).unwrap(),
            r#"{"label_tool":null,"cask_catalog":null,"recipe_index":null,"store_listing":null,"mdm_installer":null}"#
        );
    }

    #[test]
    fn a_store_listing_adds_no_token() {
        let listing = r#"{"store_listing":{"bundle_id":"a.b","raw":{}},"mdm_installer":{"title":"A","source":"Jamf"}}"#;
        let sources: AppSources = serde_json::from_str(listing).unwrap();
        assert_eq!(sources.tokens().iter().collect::<Vec<_>>(), [Source::MdmInstaller]);
    }

    #[test]
    fn a_recipe_without_names_is_still_a_recipe() {
        let entry = r#"{"identifier":"com.example.shared","name":null,"repo":"r","path":"p"}"#;
        let entry: RecipeEntry = serde_json::from_str(entry).unwrap();
        assert_eq!(entry.shortname, None);
    }
}
