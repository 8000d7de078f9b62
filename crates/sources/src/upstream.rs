//! The five upstreams, and how their documents become the input of stitching.

use std::{collections::HashMap, io::Read};

use appstitch_catalog::Documents;

use crate::{
    FileError, ParsedFile, Unreadable, UpstreamEntry, cask_catalog,
    label_tool::{self, FRAGMENT, Resolution},
    mdm_installer, recipe_index, store_listing,
    unpack::Unpacked,
};

/// The default size limit of an unpacked upstream file. The largest real file is 19 MB.
pub const MAX_UNPACKED_BYTES: usize = 512 << 20;

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

    /// The upstream with this token (case-sensitive).
    #[must_use]
    pub fn from_token(token: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|upstream| upstream.token() == token)
    }

    /// Splits the upstream's file into documents. The file may be compressed with gzip or zstd.
    pub fn read(self, file: &[u8]) -> Result<ParsedFile, FileError> {
        self.read_within(file, MAX_UNPACKED_BYTES)
    }

    /// Like [`Self::read`], for a file of at most `limit` bytes when unpacked.
    pub fn read_within(self, file: &[u8], limit: usize) -> Result<ParsedFile, FileError> {
        let mut unpacked = Unpacked::new(file, limit)
            .map_err(|error| Unreadable(format!("cannot unpack the file: {error}")))?;
        let parsed = self.read_unpacked(&mut unpacked);
        if unpacked.is_exceeded() {
            return Err(FileError::TooLarge { limit });
        }
        Ok(parsed?)
    }

    /// The two largest files are streamed, so that they are never in memory as a whole. The
    /// others are small.
    fn read_unpacked(self, reader: &mut dyn Read) -> Result<ParsedFile, Unreadable> {
        let read_whole = match self {
            Self::LabelTool => return label_tool::read(reader),
            Self::CaskCatalog => return cask_catalog::read(reader),
            Self::RecipeIndex => recipe_index::read,
            Self::MdmInstaller => mdm_installer::read,
            Self::StoreListing => store_listing::read,
        };
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(|error| Unreadable(error.to_string()))?;
        read_whole(&bytes)
    }

    /// The key prefix of the documents that a new file of this upstream replaces. The installer
    /// titles come in two files, which do not replace each other.
    #[must_use]
    pub fn replaced_prefix(self, parsed: &ParsedFile) -> &'static str {
        let first = parsed.entries.first().map_or("", |document| document.key.as_str());
        match self {
            Self::MdmInstaller if first.starts_with(mdm_installer::TABLE) => mdm_installer::TABLE,
            Self::MdmInstaller => mdm_installer::TITLES,
            Self::LabelTool => FRAGMENT,
            _ => "",
        }
    }

    /// Adds this upstream's documents to the input of stitching. A stored document that this
    /// version rejects is skipped.
    pub fn decode(self, documents: &[UpstreamEntry], into: &mut Documents) {
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

/// The key prefix of the results of running labels. The label's file name follows.
pub const RESOLUTION: &str = "resolution/";

fn decode_labels(documents: &[UpstreamEntry], into: &mut Documents) {
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
    use std::io::Write;

    use super::*;

    #[test]
    fn tokens_name_upstreams_both_ways() {
        for upstream in Upstream::ALL {
            assert_eq!(Upstream::from_token(upstream.token()), Some(upstream));
        }
        assert_eq!(Upstream::from_token("records"), None);
    }

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(content).unwrap();
        gzip.finish().unwrap()
    }

    fn label_archive() -> Vec<u8> {
        let mut archive = tar::Builder::new(Vec::new());
        let text = b"sample)\n    name=\"Sample\"\n    ;;\n";
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_cksum();
        archive.append_data(&mut header, "main/fragments/labels/sample.sh", &text[..]).unwrap();
        archive.into_inner().unwrap()
    }

    #[test]
    fn every_upstreams_file_may_be_packed() {
        let recipe = r#"{"identifiers":{"a":{"path":"a","repo":"a"}}}"#;
        let title = r#"{"results":[{"id":1,"titleName":"a"}]}"#;
        let listing = r#"{"results":[{"kind":"mac-software","bundleId":"a"}]}"#;
        for (upstream, file) in [
            (Upstream::LabelTool, label_archive()),
            (Upstream::CaskCatalog, br#"[{"token":"a"}]"#.to_vec()),
            (Upstream::RecipeIndex, recipe.as_bytes().to_vec()),
            (Upstream::MdmInstaller, title.as_bytes().to_vec()),
            (Upstream::StoreListing, listing.as_bytes().to_vec()),
        ] {
            for packed in [file.clone(), gzip(&file), zstd::bulk::compress(&file, 3).unwrap()] {
                let parsed = upstream.read(&packed).unwrap();
                assert_eq!(parsed.entries.len(), 1, "{upstream:?}");
                let refused = upstream.read_within(&packed, file.len() / 10);
                assert_eq!(refused, Err(FileError::TooLarge { limit: file.len() / 10 }));
            }
        }
    }
}
