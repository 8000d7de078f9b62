//! The names that an app is known by.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{App, AppSources, served};

/// What kind of name leads to an app.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AliasKind {
    /// The app's slug.
    Slug,
    /// The token of its cask.
    Token,
    /// A token that its cask had before.
    FormerToken,
    /// A name of its label.
    LabelName,
    /// Its bundle identifier.
    BundleId,
    /// The Team ID that it is signed with.
    TeamId,
    /// The code of its installer title.
    TitleCode,
}

impl AliasKind {
    /// Every kind, in the order in which matches are listed.
    pub const ALL: [Self; 7] = [
        Self::Slug,
        Self::Token,
        Self::FormerToken,
        Self::LabelName,
        Self::BundleId,
        Self::TeamId,
        Self::TitleCode,
    ];
}

/// A name of an app.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub struct Alias {
    /// The kind of the name.
    pub kind: AliasKind,
    /// The name as its source writes it.
    pub name: String,
}

/// An app that a name leads to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AliasMatch {
    /// The app's slug.
    pub slug: String,
    /// What kind of name it is.
    pub kind: AliasKind,
}

/// The apps that a name leads to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AliasMatches {
    /// Each app and kind of name, ordered by kind, then by slug. A name that all variants of a
    /// product have leads to the main one only.
    pub matches: Vec<AliasMatch>,
}

/// The names of an app besides its slug, ordered and each once. A name that is the slug itself is
/// omitted.
pub(crate) fn aliases(
    app: &App,
    sources: Option<&AppSources>,
    former_tokens: Vec<String>,
    other_names: &[String],
) -> Vec<Alias> {
    let token = sources.and_then(|sources| Some(sources.cask_catalog.as_ref()?.token.clone()));
    let label = sources.and_then(|sources| Some(sources.label_tool.as_ref()?.label_name.clone()));
    let title = sources.and_then(|sources| sources.mdm_installer.as_ref()?.mgmt_id.clone());
    let team_id = app.expected_team_id.as_ref().map(ToString::to_string);
    let mut all: Vec<Alias> = token
        .map(|name| (AliasKind::Token, name))
        .into_iter()
        .chain(former_tokens.into_iter().map(|name| (AliasKind::FormerToken, name)))
        .chain(label.map(|name| (AliasKind::LabelName, name)))
        .chain(other_names.iter().map(|name| (AliasKind::LabelName, name.clone())))
        .chain(app.bundle_id.clone().map(|name| (AliasKind::BundleId, name)))
        .chain(team_id.map(|name| (AliasKind::TeamId, name)))
        .chain(title.map(|name| (AliasKind::TitleCode, name)))
        .filter(|(_, name)| name != app.slug.as_str() && served::check_text("alias", name).is_ok())
        .map(|(kind, name)| Alias { kind, name })
        .collect();
    all.sort();
    all.dedup();
    all
}
