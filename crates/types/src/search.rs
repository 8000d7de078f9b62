//! The response of a search.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;

/// How a query matches, from the best tier to the last.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[schema(example = "exact")]
pub enum MatchTier {
    /// The query is the whole name.
    Exact,
    /// Every word of the query is a whole word.
    Words,
    /// Every word of the query is at least the beginning of a word.
    Beginning,
    /// Every word of the query is at least inside a word.
    Inside,
    /// A word of the query is misspelled.
    Typo,
}

/// The field of an app that a query matches. Of several, the first in this order is reported.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[schema(example = "name")]
pub enum SearchField {
    /// The app's name.
    Name,
    /// The app's slug.
    Slug,
    /// The token of its cask.
    Token,
    /// A name of its label.
    LabelName,
    /// A token that its cask had before.
    FormerToken,
    /// Another name in one of its sources: of the cask, an app file, the installer title or the
    /// store listing.
    OtherName,
    /// Its bundle identifier.
    BundleId,
    /// The Team ID that it is signed with.
    TeamId,
    /// Its vendor.
    Vendor,
}

impl SearchField {
    /// Every field, in order.
    pub const ALL: [Self; 9] = [
        Self::Name,
        Self::Slug,
        Self::Token,
        Self::LabelName,
        Self::FormerToken,
        Self::OtherName,
        Self::BundleId,
        Self::TeamId,
        Self::Vendor,
    ];

    /// Whether it is a name, and not an identifier or the vendor.
    pub const fn is_name(self) -> bool {
        !matches!(self, Self::BundleId | Self::TeamId | Self::Vendor)
    }

    /// Whether it is a name that another app can have: a former one, or that of a part of the app.
    pub const fn is_lesser_name(self) -> bool {
        matches!(self, Self::FormerToken | Self::OtherName)
    }
}

/// What a query, or a word of it, matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({"field": "name", "value": "Google Chrome", "tier": "exact"}))]
pub struct SearchMatch {
    /// The field that matches.
    pub field: SearchField,
    /// The value of the field, as its source writes it.
    pub value: String,
    /// How it matches.
    pub tier: MatchTier,
}

/// An app that a search finds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SearchHit {
    /// The app's slug.
    pub slug: String,
    /// How the query matches: the tier of the word that matches worst.
    pub tier: MatchTier,
    /// What matches: one entry if the whole query does, otherwise one for each word.
    pub matches: Vec<SearchMatch>,
    /// Whether the cask catalog has deprecated or disabled the app.
    #[serde(default)]
    #[schema(required = true)]
    pub deprecated: bool,
    /// The app.
    pub app: App,
}

/// A page of the apps that a search finds, best first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SearchResponse {
    /// The number of apps that match the query and the filters.
    pub total: u64,
    /// The maximum number of apps on this page.
    pub limit: u64,
    /// The number of matching apps before this page.
    pub offset: u64,
    /// The apps of this page.
    pub items: Vec<SearchHit>,
    /// The apps with the nearest names, if nothing matches.
    #[serde(default)]
    #[schema(required = true)]
    pub did_you_mean: Vec<NearestApp>,
}

/// An app with a name that is near to a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({"slug": "googlechrome", "name": "Google Chrome"}))]
pub struct NearestApp {
    /// The app's slug.
    pub slug: String,
    /// The app's name.
    pub name: String,
}
