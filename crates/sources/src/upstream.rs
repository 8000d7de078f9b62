//! The five upstreams, and what is made of their documents.

use std::{collections::HashMap, io::Read};

use appstitch_catalog::Documents;

use crate::{
    Document, Reading, Unreadable, cask_catalog,
    label_tool::{self, FRAGMENT, Resolution},
    mdm_installer, recipe_index, store_listing,
};

/// An upstream of the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Upstream {
    /// The label fragments.
    LabelTool,
    /// The casks.
    CaskCatalog,
    /// The recipes.
    RecipeIndex,
    /// The installer titles.
    MdmInstaller,
    /// The store listings.
    StoreListing,
}

impl Upstream {
    /// Every upstream.
    pub const ALL: [Self; 5] = [
        Self::LabelTool,
        Self::CaskCatalog,
        Self::RecipeIndex,
        Self::MdmInstaller,
        Self::StoreListing,
    ];

    /// The upstream's token.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::LabelTool => "label_tool",
            Self::CaskCatalog => "cask_catalog",
            Self::RecipeIndex => "recipe_index",
            Self::MdmInstaller => "mdm_installer",
            Self::StoreListing => "store_listing",
        }
    }

    /// The upstream of a token, case-sensitive.
    #[must_use]
    pub fn from_token(token: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|upstream| upstream.token() == token)
    }

    /// Splits the upstream's own file into documents.
    pub fn read(self, bytes: &[u8]) -> Result<Reading, Unreadable> {
        match self {
            Self::LabelTool => label_tool::read(bytes),
            Self::CaskCatalog => cask_catalog::read(bytes),
            Self::RecipeIndex => recipe_index::read(bytes),
            Self::MdmInstaller => mdm_installer::read(bytes),
            Self::StoreListing => store_listing::read(bytes),
        }
    }

    /// The same, for a file that comes in piece by piece. The largest is never in memory as a
    /// whole; the others are small.
    pub fn read_from(self, reader: &mut dyn Read) -> Result<Reading, Unreadable> {
        if self == Self::CaskCatalog {
            return cask_catalog::read_from(reader);
        }
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(|error| Unreadable(error.to_string()))?;
        self.read(&bytes)
    }

    /// Which documents a new file of this upstream replaces: those whose key starts like that
    /// of its own. The installer titles come in two files that leave each other alone.
    #[must_use]
    pub fn replaced_prefix(self, reading: &Reading) -> &'static str {
        let first = reading.documents.first().map_or("", |document| document.key.as_str());
        match self {
            Self::MdmInstaller if first.starts_with(mdm_installer::TABLE) => mdm_installer::TABLE,
            Self::MdmInstaller => mdm_installer::TITLES,
            Self::LabelTool => FRAGMENT,
            _ => "",
        }
    }

    /// Adds what its documents say to the input of stitching. A document that a newer reader no
    /// longer takes is left out.
    pub fn decode(self, documents: &[Document], into: &mut Documents) {
        match self {
            Self::LabelTool => decode_labels(documents, into),
            Self::CaskCatalog => {
                into.casks.extend(
                    documents.iter().filter_map(|document| cask_catalog::parse(document).ok()),
                );
            }
            Self::RecipeIndex => {
                into.recipes.extend(
                    documents.iter().filter_map(|document| recipe_index::parse(document).ok()),
                );
            }
            Self::MdmInstaller => into.titles.extend(mdm_installer::parse(documents)),
            Self::StoreListing => {
                into.listings.extend(
                    documents.iter().filter_map(|document| store_listing::parse(document).ok()),
                );
            }
        }
    }
}

/// Starts the key of what somebody who ran a label found; the label's file name follows.
pub const RESOLUTION: &str = "resolution/";

fn decode_labels(documents: &[Document], into: &mut Documents) {
    let resolutions: HashMap<&str, Resolution> = documents
        .iter()
        .filter_map(|document| {
            let file = document.key.strip_prefix(RESOLUTION)?;
            Some((file, serde_json::from_slice(&document.body).ok()?))
        })
        .collect();
    into.labels.extend(documents.iter().filter_map(|document| {
        let file = document.key.strip_prefix(FRAGMENT)?;
        let text = std::str::from_utf8(&document.body).ok()?;
        label_tool::parse_with(file, text, resolutions.get(file)).ok()
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_name_upstreams_both_ways() {
        for upstream in Upstream::ALL {
            assert_eq!(Upstream::from_token(upstream.token()), Some(upstream));
        }
        assert_eq!(Upstream::from_token("records"), None);
    }
}
