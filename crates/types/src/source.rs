//! The sources of the catalog: one description of each, and sets of them.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeSeq};

use crate::broken_rule::BrokenRule;

/// A source of the catalog, in the order of an app's payloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The label fragments of Installomator.
    LabelTool,
    /// The casks of Homebrew.
    CaskCatalog,
    /// The index of `AutoPkg` recipes.
    RecipeIndex,
    /// The listings of the Mac App Store.
    StoreListing,
    /// The titles of Jamf App Installers.
    MdmInstaller,
}

/// What the rest of the program knows about a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceDescription {
    /// The token used in JSON.
    pub token: &'static str,
    /// The name of the product for people.
    pub product: &'static str,
    /// What one of its entries is called.
    pub entry: &'static str,
    /// What it contributes, in a sentence.
    pub about: &'static str,
    /// The page of the product.
    pub home: &'static str,
    /// Whether the token is listed in an app's `sources`. Store listings are a payload only.
    pub is_listed: bool,
    /// Whether its versions take part in drift.
    pub drift: DriftRole,
}

/// Whether the versions of a source take part in drift.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DriftRole {
    /// In every comparison.
    Always,
    /// If the request includes the source.
    OnRequest,
    /// The source states no versions.
    Never,
}

impl Source {
    /// Every source, in the order of an app's payloads.
    pub const ALL: [Self; 5] = [
        Self::LabelTool,
        Self::CaskCatalog,
        Self::RecipeIndex,
        Self::StoreListing,
        Self::MdmInstaller,
    ];

    /// The sources that an app's `sources` can list, in that order.
    pub const LISTED: [Self; 4] =
        [Self::LabelTool, Self::CaskCatalog, Self::RecipeIndex, Self::MdmInstaller];

    /// The description of the source: the one place that says what it is.
    pub const fn describe(self) -> SourceDescription {
        match self {
            Self::LabelTool => SourceDescription {
                token: "label_tool",
                product: "Installomator",
                entry: "label",
                about: "Installer labels: small shell scripts that find the newest version of an app, its download and its signer.",
                home: "https://github.com/Installomator/Installomator",
                is_listed: true,
                drift: DriftRole::Always,
            },
            Self::CaskCatalog => SourceDescription {
                token: "cask_catalog",
                product: "Homebrew Cask",
                entry: "cask",
                about: "Casks: versions, downloads, hashes and requirements, kept up to date by volunteers and robots.",
                home: "https://formulae.brew.sh/cask/",
                is_listed: true,
                drift: DriftRole::Always,
            },
            Self::RecipeIndex => SourceDescription {
                token: "recipe_index",
                product: "AutoPkg",
                entry: "recipe",
                about: "The index of public AutoPkg recipes: who packages an app, and for which tool.",
                home: "https://github.com/autopkg/index",
                is_listed: true,
                drift: DriftRole::Never,
            },
            Self::StoreListing => SourceDescription {
                token: "store_listing",
                product: "Mac App Store",
                entry: "listing",
                about: "What Apple's lookup service says about apps of the Mac App Store.",
                home: "https://apps.apple.com/",
                is_listed: false,
                drift: DriftRole::OnRequest,
            },
            Self::MdmInstaller => SourceDescription {
                token: "mdm_installer",
                product: "Jamf App Installers",
                entry: "title",
                about: "The titles that Jamf Pro installs and updates by itself.",
                home: "https://learn.jamf.com/r/en-US/jamf-app-catalog/App_Installers_Software_Titles",
                is_listed: true,
                drift: DriftRole::OnRequest,
            },
        }
    }

    /// The token used in JSON.
    pub const fn token(self) -> &'static str {
        self.describe().token
    }

    /// Looks up a source by its token, case-sensitive.
    pub fn from_token(token: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.token() == token)
    }

    /// The name for people of the source with a token; the token if no source has it.
    pub fn product_of(token: &str) -> &str {
        Self::from_token(token).map_or(token, |source| source.describe().product)
    }

    /// Like [`Self::from_token`], for a source that `sources` can list.
    pub fn listed_from_token(token: &str) -> Option<Self> {
        Self::from_token(token).filter(|source| source.describe().is_listed)
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of sources. In JSON it is an array of tokens, always in the same order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SourceSet(u8);

impl SourceSet {
    /// The set with this source added.
    #[must_use]
    pub const fn with(self, source: Source) -> Self {
        Self(self.0 | source.bit())
    }

    /// The sources that are in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the source is in the set.
    pub const fn contains(self, source: Source) -> bool {
        self.0 & source.bit() != 0
    }

    /// The sources of the set, in the order used in JSON.
    pub fn iter(self) -> impl Iterator<Item = Source> {
        Source::LISTED.into_iter().filter(move |source| self.contains(*source))
    }
}

impl FromIterator<Source> for SourceSet {
    fn from_iter<I: IntoIterator<Item = Source>>(sources: I) -> Self {
        sources.into_iter().fold(Self::default(), Self::with)
    }
}

impl Serialize for SourceSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tokens = serializer.serialize_seq(None)?;
        for source in self.iter() {
            tokens.serialize_element(source.token())?;
        }
        tokens.end()
    }
}

impl<'de> Deserialize<'de> for SourceSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<String>::deserialize(deserializer)?
            .into_iter()
            .map(|token| {
                Source::listed_from_token(&token)
                    .ok_or_else(|| de::Error::custom(BrokenRule::Source(token)))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_listed_sources_are_those_that_are_described_so() {
        let listed = Source::ALL.into_iter().filter(|source| source.describe().is_listed);
        assert_eq!(listed.collect::<Vec<_>>(), Source::LISTED);
    }

    #[test]
    fn tokens_are_written_in_the_order_of_the_wire_and_once() {
        let set: SourceSet =
            serde_json::from_str(r#"["mdm_installer","label_tool","mdm_installer"]"#).unwrap();
        assert_eq!(serde_json::to_string(&set).unwrap(), r#"["label_tool","mdm_installer"]"#);
    }

    #[test]
    fn the_store_listing_is_no_token() {
        let error = serde_json::from_str::<SourceSet>(r#"["store_listing"]"#).unwrap_err();
        assert!(error.to_string().contains("unknown source 'store_listing'"), "{error}");
    }
}
