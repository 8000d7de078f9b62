//! The names that an app is known by.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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
    /// The code of its installer title, or of a title of the patch catalog.
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
