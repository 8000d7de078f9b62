//! The payload of each source for an app, as served by the sources endpoint.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::{
    raw_object::RawObject,
    source::{Source, SourceSet},
    uri::Uri,
};

/// The raw payloads of one app. Every key is always present; null if the source contributed
/// nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct AppSources {
    /// The label and its assignments.
    pub label_tool: Option<LabelToolSource>,
    /// The cask entry.
    pub cask_catalog: Option<CaskCatalogSource>,
    /// Every matching recipe.
    pub recipe_index: Option<RecipeIndexSource>,
    /// The store's response; a payload only, never a token in `sources`.
    pub store_listing: Option<StoreListingSource>,
    /// The management vendor's installer title.
    pub mdm_installer: Option<MdmInstallerSource>,
}

/// The payload of one source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payload<'a> {
    /// The label.
    Label(&'a LabelToolSource),
    /// The cask.
    Cask(&'a CaskCatalogSource),
    /// The recipes.
    Recipes(&'a RecipeIndexSource),
    /// The store listing.
    Listing(&'a StoreListingSource),
    /// The installer title.
    Title(&'a MdmInstallerSource),
}

impl AppSources {
    /// The payload of a source.
    pub fn payload(&self, source: Source) -> Option<Payload<'_>> {
        match source {
            Source::LabelTool => self.label_tool.as_ref().map(Payload::Label),
            Source::CaskCatalog => self.cask_catalog.as_ref().map(Payload::Cask),
            Source::RecipeIndex => self.recipe_index.as_ref().map(Payload::Recipes),
            Source::StoreListing => self.store_listing.as_ref().map(Payload::Listing),
            Source::MdmInstaller => self.mdm_installer.as_ref().map(Payload::Title),
        }
    }

    /// The listed sources that have a payload.
    pub fn tokens(&self) -> SourceSet {
        Source::LISTED.into_iter().filter(|source| self.payload(*source).is_some()).collect()
    }

    /// Whether no source has a payload.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Payload<'_> {
    /// The name of the entry in its source; all of them if there are several.
    pub fn id(self) -> String {
        match self {
            Self::Label(label) => label.label_name.clone(),
            Self::Cask(cask) => cask.token.clone(),
            Self::Recipes(index) => {
                let identifiers = index.recipes.iter().map(|recipe| recipe.identifier.as_str());
                identifiers.collect::<Vec<_>>().join(", ")
            }
            Self::Listing(listing) => listing.bundle_id.clone(),
            Self::Title(title) => title.title.clone(),
        }
    }

    /// The page of the entry, if the payload has its address.
    pub fn page(&self) -> Option<&Uri> {
        match self {
            Self::Label(label) => Some(&label.label_url),
            Self::Listing(listing) => listing.store_url.as_ref(),
            Self::Cask(_) | Self::Recipes(_) | Self::Title(_) => None,
        }
    }

    /// How many entries of the source belong to the app.
    pub fn count(self) -> usize {
        match self {
            Self::Recipes(index) => index.recipes.len(),
            Self::Label(_) | Self::Cask(_) | Self::Listing(_) | Self::Title(_) => 1,
        }
    }
}

/// An installer label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LabelToolSource {
    /// The label's name.
    pub label_name: String,
    /// The URL of the label's fragment.
    #[schema(value_type = String, format = "uri", min_length = 1, max_length = 2083)]
    pub label_url: Uri,
    /// The label's variables as upstream wrote them.
    #[schema(value_type = Object, additional_properties = true)]
    pub raw: RawObject,
}

impl LabelToolSource {
    /// The key of `raw` for values resolved from the label's text or by running the label. The
    /// other keys are the label's variables as upstream wrote them.
    pub const RESOLVED: &str = "resolved";

    /// The key of `raw` for the address that follows from what the public tracker recorded: the label's
    /// address with the version it found, or where the redirects of the download ended.
    pub const RECORDED: &str = "recorded";

    /// The key of `raw` for the function that finds the installed version, as upstream wrote it.
    pub const VERSION_FUNCTION: &str = "appCustomVersion()";

    /// The variable with the processes to quit before an update.
    pub const BLOCKING_PROCESSES: &str = "blockingProcesses";

    /// The key of `raw` for values that differ on an Intel Mac; null if the label has no value
    /// there or only a shell can resolve it.
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
    /// The short name; null for recipes without one.
    pub shortname: Option<String>,
    /// The repository that contains the recipe.
    pub repo: String,
    /// The recipe's path inside its repository.
    pub path: String,
    /// The recipe this one builds on.
    pub parent_identifier: Option<String>,
    /// The type of the recipe, inferred from its file name or identifier.
    pub inferred_type: Option<String>,
    /// The URL of the recipe.
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
    /// The store's response, verbatim.
    #[schema(value_type = Object, additional_properties = true)]
    pub raw: RawObject,
}

/// A title of the management vendor's installer catalog.
///
/// `title`, `source` and `host` come from the public table. The other fields come from the
/// titles API and are null for rows that are only in the table.
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
    /// The offered version.
    pub version: Option<String>,
    /// The title code; a string even when it looks like a number.
    pub mgmt_id: Option<String>,
    /// The download URL of the installer, as upstream wrote it.
    pub download_url: Option<String>,
    /// The processor architecture of the installer.
    pub architecture: Option<String>,
}

/// Reads an optional URL; an invalid URL becomes null.
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
