//! Where each value of a record comes from, so that wrong values can be traced.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{App, AppSources, LabelValues, Record};

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
    /// Whether this is a manual record. New data of the sources cannot update it.
    #[serde(default)]
    #[schema(required = true)]
    pub manual_record: bool,
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

/// The entry of one source and why it was matched to the app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SourceMatch {
    /// The name of the entry in its source: a label name, token, title or identifier.
    pub id: String,
    /// The evidence for and against the match.
    pub evidence: Vec<String>,
}

/// The source of the fields of a manual record.
const BY_HAND: &str = "records";

impl SourceMatches {
    /// The entries of a record's payloads. `evidence` returns the evidence for a source token.
    pub(crate) fn of(sources: &AppSources, evidence: impl Fn(&str) -> Vec<String>) -> Self {
        let matched = |token: &str, id: Option<String>| {
            id.map(|id| SourceMatch { id, evidence: evidence(token) })
        };
        let label = sources.label_tool.as_ref().map(|label| label.label_name.clone());
        let cask = sources.cask_catalog.as_ref().map(|cask| cask.token.clone());
        let recipes = sources.recipe_index.as_ref().map(|index| {
            let identifiers = index.recipes.iter().map(|recipe| recipe.identifier.as_str());
            identifiers.collect::<Vec<_>>().join(", ")
        });
        let listing = sources.store_listing.as_ref().map(|listing| listing.bundle_id.clone());
        let title = sources.mdm_installer.as_ref().map(|title| title.title.clone());
        Self {
            label_tool: matched("label_tool", label),
            cask_catalog: matched("cask_catalog", cask),
            recipe_index: matched("recipe_index", recipes),
            store_listing: matched("store_listing", listing),
            mdm_installer: matched("mdm_installer", title),
        }
    }
}

impl Provenance {
    /// The provenance of a manual record.
    #[must_use]
    pub fn by_hand(record: &Record) -> Self {
        let given = |present: bool| present.then(|| BY_HAND.to_owned());
        let App {
            bundle_id,
            vendor,
            current_version,
            latest_release_date,
            download_url,
            install_method,
            expected_team_id,
            sha256,
            ..
        } = &record.app;
        let no_detail = AppSources::default();
        Self {
            slug: record.app.slug.to_string(),
            other_names: Vec::new(),
            fields: FieldOrigins {
                bundle_id: given(bundle_id.is_some()),
                name: given(true),
                vendor: given(vendor.is_some()),
                current_version: given(current_version.is_some()),
                latest_release_date: given(latest_release_date.is_some()),
                download_url: given(download_url.is_some()),
                install_method: given(install_method.is_some()),
                expected_team_id: given(expected_team_id.is_some()),
                sha256: given(sha256.is_some()),
            },
            reasons: FieldReasons::default(),
            sources: SourceMatches::of(record.sources.as_ref().unwrap_or(&no_detail), |_| {
                vec!["given by hand".to_owned()]
            }),
            label_values: None,
            manual_record: true,
        }
    }
}
