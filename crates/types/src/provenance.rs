//! Where each value of a record comes from, so that wrong values can be traced.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{finding::LabelValues, source::Source};

/// Where the values of an app's record come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Provenance {
    /// The app's slug.
    pub slug: String,
    /// Other names of the app's label; search also matches them.
    pub other_names: Vec<String>,
    /// The source of each field; null if the field is null.
    pub fields: FieldOrigins,
    /// Why a field's source was chosen, if sources disagree.
    pub reasons: FieldReasons,
    /// The entry of each source that was matched to the app, with the evidence for the match.
    pub sources: SourceMatches,
    /// Who found the values of the label that are not in its text; null if there are none.
    #[serde(default)]
    #[schema(required = true)]
    pub label_values: Option<LabelValues>,
    /// The titles of Jamf's patch catalog that lead to the app; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub title_codes: Vec<TitleCode>,
    /// Whether this is a manual record. New data of the sources cannot update it.
    #[serde(default)]
    #[schema(required = true)]
    pub manual_record: bool,
}

/// A title of Jamf's patch catalog, and why it leads to the app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TitleCode {
    /// The code of the title.
    pub code: String,
    /// What the catalog calls it.
    pub title: String,
    /// The evidence for and against the match.
    pub evidence: Vec<String>,
}

/// The source of each field of an app: a source token, or `records` for a manual record.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct FieldOrigins {
    /// The source of `bundle_id`.
    pub bundle_id: Option<String>,
    /// The source of `name`.
    pub name: Option<String>,
    /// The source of `vendor`.
    pub vendor: Option<String>,
    /// The source of `current_version`.
    pub current_version: Option<String>,
    /// The source of `latest_release_date`.
    pub latest_release_date: Option<String>,
    /// The source of `download_url`.
    pub download_url: Option<String>,
    /// The source of `install_method`.
    pub install_method: Option<String>,
    /// The source of `expected_team_id`.
    pub expected_team_id: Option<String>,
    /// The source of `sha256`.
    pub sha256: Option<String>,
}

/// Why the sources of contested fields were chosen, in words for people; null if there is nothing
/// to say.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct FieldReasons {
    /// The stated versions, the chosen one first.
    pub current_version: Option<String>,
    /// Why this source's download was chosen, or why there is none.
    pub download_url: Option<String>,
}

/// The matched entry of each source; null if the source contributed nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct SourceMatches {
    /// The label.
    pub label_tool: Option<SourceMatch>,
    /// The cask.
    pub cask_catalog: Option<SourceMatch>,
    /// The recipes.
    pub recipe_index: Option<SourceMatch>,
    /// The store listing.
    pub store_listing: Option<SourceMatch>,
    /// The installer title.
    pub mdm_installer: Option<SourceMatch>,
}

impl SourceMatches {
    /// The match of each source.
    pub fn from_fn(mut of: impl FnMut(Source) -> Option<SourceMatch>) -> Self {
        Self {
            label_tool: of(Source::LabelTool),
            cask_catalog: of(Source::CaskCatalog),
            recipe_index: of(Source::RecipeIndex),
            store_listing: of(Source::StoreListing),
            mdm_installer: of(Source::MdmInstaller),
        }
    }

    /// The match of one source.
    pub const fn get(&self, source: Source) -> Option<&SourceMatch> {
        match source {
            Source::LabelTool => &self.label_tool,
            Source::CaskCatalog => &self.cask_catalog,
            Source::RecipeIndex => &self.recipe_index,
            Source::StoreListing => &self.store_listing,
            Source::MdmInstaller => &self.mdm_installer,
        }
        .as_ref()
    }
}

/// The entry of one source and why it was matched to the app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SourceMatch {
    /// The name of the entry in its source: a label name, token, title or identifier.
    pub id: String,
    /// The evidence for and against the match.
    pub evidence: Vec<String>,
}
