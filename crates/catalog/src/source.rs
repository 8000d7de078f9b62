//! The sources of an app, as tokens and as sets of tokens.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeSeq};

use crate::BrokenRule;

/// A source that can contribute to an app, in the order used by `sources`.
///
/// The store listing has no variant: it is a payload, never a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The installer-label tool's label fragments.
    LabelTool,
    /// The cask catalog.
    CaskCatalog,
    /// The recipe index.
    RecipeIndex,
    /// The management vendor's installer titles.
    MdmInstaller,
}

impl Source {
    /// Every source, in the order used in JSON.
    pub const ALL: [Self; 4] =
        [Self::LabelTool, Self::CaskCatalog, Self::RecipeIndex, Self::MdmInstaller];

    /// The token used in JSON.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::LabelTool => "label_tool",
            Self::CaskCatalog => "cask_catalog",
            Self::RecipeIndex => "recipe_index",
            Self::MdmInstaller => "mdm_installer",
        }
    }

    /// Looks up a source by its token, case-sensitive.
    #[must_use]
    pub fn from_token(token: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.token() == token)
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
    #[must_use]
    pub const fn contains(self, source: Source) -> bool {
        self.0 & source.bit() != 0
    }

    /// The sources of the set, in the order used in JSON.
    pub fn iter(self) -> impl Iterator<Item = Source> {
        Source::ALL.into_iter().filter(move |source| self.contains(*source))
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
                Source::from_token(&token)
                    .ok_or_else(|| de::Error::custom(BrokenRule::Source(token)))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
