//! Where each value of a record comes from, so that a wrong one can be traced in a minute.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{App, AppSources, Record};

/// Why an app's record looks as it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Provenance {
    /// The app's slug.
    pub slug: String,
    /// Other names the app's label goes by; search finds the app under them.
    pub other_names: Vec<String>,
    /// Which source gave each field; null where the field is null.
    pub fields: FieldOrigins,
    /// Which entry of each source belongs to the app, and by what evidence.
    pub sources: SourceMatches,
}

/// The source behind each field of an app: a source's token, or `records` for one given by hand.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct FieldOrigins {
    /// Behind `bundle_id`.
    pub bundle_id: Option<String>,
    /// Behind `name`.
    pub name: Option<String>,
    /// Behind `vendor`.
    pub vendor: Option<String>,
    /// Behind `current_version`.
    pub current_version: Option<String>,
    /// Behind `latest_release_date`.
    pub latest_release_date: Option<String>,
    /// Behind `download_url`.
    pub download_url: Option<String>,
    /// Behind `install_method`.
    pub install_method: Option<String>,
    /// Behind `expected_team_id`.
    pub expected_team_id: Option<String>,
    /// Behind `sha256`.
    pub sha256: Option<String>,
}

/// The entry of each source; null where a source contributed nothing.
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

/// One source's entry, and why it is this app's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SourceMatch {
    /// What the source calls the entry: a label's name, a token, a title, an identifier.
    pub id: String,
    /// What speaks for the match, and what against it.
    pub evidence: Vec<String>,
}

/// The origin of a record given by hand.
const BY_HAND: &str = "records";

impl SourceMatches {
    /// The entries of a record's payloads, each with the evidence that a function tells.
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
    /// The provenance of a record that somebody gave.
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
            sources: SourceMatches::of(record.sources.as_ref().unwrap_or(&no_detail), |_| {
                vec!["given by hand".to_owned()]
            }),
        }
    }
}
