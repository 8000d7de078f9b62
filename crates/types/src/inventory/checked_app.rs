//! The answer about one installed app.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::CheckRule;
use crate::uri::Uri;

crate::words! {
    /// Whether an installed app is up to date.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
    )]
    #[serde(rename_all = "snake_case")]
    #[schema(example = "outdated")]
    pub enum Verdict {
        /// The installed version is the newest.
        Current = "current",
        /// The catalog has a newer version.
        Outdated = "outdated",
        /// The installed version is newer than the catalog's.
        Newer = "newer",
        /// The installed version is the newest, but both are written differently.
        SameReleaseOtherString = "same_release_other_string",
        /// The versions are counted differently, or one of them has no order.
        NotComparable = "not_comparable",
        /// The inventory or the catalog has no version.
        NoVersion = "no_version",
        /// Several apps of the catalog fit, and the verdict depends on which of them it is.
        Ambiguous = "ambiguous",
        /// The app is not in the catalog.
        Unmatched = "unmatched",
        /// A part of macOS.
        System = "system",
        /// From the Mac App Store, and the catalog has no version of that edition.
        Store = "store",
        /// Not an app of its own: inside another app, or a copy.
        Ignored = "ignored",
    }
}

crate::words! {
    /// What led from an installed app to an app of the catalog.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
    #[serde(rename_all = "snake_case")]
    #[schema(example = "bundle_id")]
    pub enum MatchedBy {
        /// The token of a cask, or the name of a label.
        Token = "token",
        /// The bundle identifier.
        BundleId = "bundle_id",
        /// The name, together with the Team ID of the signature.
        NameAndTeamId = "name_and_team_id",
        /// The name alone.
        Name = "name",
    }
}

crate::words! {
    /// How sure it is that the app is the right one.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
    #[serde(rename_all = "snake_case")]
    #[schema(example = "high")]
    pub enum Confidence {
        /// An identifier leads to this app only.
        High = "high",
        /// Several apps have the identifier, and the name or the version decided; or the name and the
        /// Team ID lead to this app.
        Medium = "medium",
        /// Only the name leads to this app.
        Low = "low",
    }
}

/// The answer about one installed app. Every key is always present.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CheckedApp {
    /// The Mac, as the inventory names it.
    #[schema(example = "mac-042")]
    pub host: Option<String>,
    /// The app's name in the inventory, or the cask's token if it has no other name.
    #[schema(example = "Obsidian.app")]
    pub name: Option<String>,
    /// The bundle identifier in the inventory.
    #[schema(example = "md.obsidian")]
    pub bundle_id: Option<String>,
    /// Where the app is on the Mac.
    #[schema(example = "/Applications/Obsidian.app")]
    pub path: Option<String>,
    /// Whether the app is up to date.
    pub verdict: Verdict,
    /// The app of the catalog; null if none or several fit.
    #[schema(example = "obsidian")]
    pub slug: Option<String>,
    /// All apps of the catalog that fit, if the verdict is `ambiguous`; otherwise empty.
    #[schema(example = json!([]))]
    pub slugs: Vec<String>,
    /// The installed version that was compared.
    #[schema(example = "1.8.10")]
    pub installed_version: Option<String>,
    /// The newest version that it was compared with, as the app's record writes it.
    #[schema(example = "1.12.7")]
    pub newest_version: Option<String>,
    /// The download of the newest version, if the app is outdated. Of an edition of the store, its
    /// page in the store, also if the verdict is `store`.
    #[schema(value_type = Option<String>, format = "uri", example = "https://example.com/Obsidian-1.12.7.dmg")]
    pub download_url: Option<Uri>,
    /// What led to the app of the catalog; null if nothing did.
    pub matched_by: Option<MatchedBy>,
    /// How sure it is that the app is the right one; null if there is none.
    pub confidence: Option<Confidence>,
    /// The rule that decided the verdict.
    pub rule: CheckRule,
    /// The slugs of apps with similar names, if suggestions were requested and the app is
    /// `unmatched`; otherwise empty.
    #[schema(example = json!([]))]
    pub did_you_mean: Vec<String>,
    /// Whether the cask catalog has deprecated or disabled the app of the catalog.
    #[serde(default)]
    #[schema(required = true, example = false)]
    pub deprecated: bool,
}

impl CheckedApp {
    /// About the bytes that it takes in memory.
    pub fn size(&self) -> usize {
        /// The slug and both versions.
        const SHORT_TEXTS: usize = 128;
        let texts = [&self.host, &self.name, &self.bundle_id, &self.path];
        let texts = texts.into_iter().flatten().map(String::len);
        let lists = self.slugs.iter().chain(&self.did_you_mean);
        let lists = lists.map(|slug| size_of::<String>() + slug.len());
        let download = self.download_url.as_ref().map_or(0, |url| url.as_str().len());
        size_of::<Self>() + SHORT_TEXTS + texts.chain(lists).sum::<usize>() + download
    }
}
