//! The upstreams, and how their documents become the input of stitching.

use std::io::BufRead;

use appstitch_budget::{Budget, Exceeded, Limits};
use appstitch_stitching::Documents;
use appstitch_types::Source;
use jiff::Timestamp;

use crate::{
    cask_catalog,
    label_tool::{self, FRAGMENT},
    label_versions::{self, TrackedVersions},
    mdm_installer,
    parsed_file::{FileError, ParsedFile, UpstreamEntry},
    patch_titles, recipe_index, store_listing,
    unpack::{MAX_UNPACKED_BYTES, read_unpacked},
};

/// A kind of upstream file. Every [`Source`] has one. The versions that a Mac found by running the
/// labels, and the titles of the patch catalog, complete a source and are none themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Upstream {
    LabelTool,
    CaskCatalog,
    RecipeIndex,
    MdmInstaller,
    StoreListing,
    LabelVersions,
    PatchTitles,
}

impl From<Source> for Upstream {
    fn from(source: Source) -> Self {
        match source {
            Source::LabelTool => Self::LabelTool,
            Source::CaskCatalog => Self::CaskCatalog,
            Source::RecipeIndex => Self::RecipeIndex,
            Source::StoreListing => Self::StoreListing,
            Source::MdmInstaller => Self::MdmInstaller,
        }
    }
}

impl Upstream {
    pub const ALL: [Self; 7] = [
        Self::LabelTool,
        Self::CaskCatalog,
        Self::RecipeIndex,
        Self::MdmInstaller,
        Self::StoreListing,
        Self::LabelVersions,
        Self::PatchTitles,
    ];

    /// The source that the file is of; `None` if it only completes one.
    pub const fn source(self) -> Option<Source> {
        match self {
            Self::LabelTool => Some(Source::LabelTool),
            Self::CaskCatalog => Some(Source::CaskCatalog),
            Self::RecipeIndex => Some(Source::RecipeIndex),
            Self::MdmInstaller => Some(Source::MdmInstaller),
            Self::StoreListing => Some(Source::StoreListing),
            Self::LabelVersions | Self::PatchTitles => None,
        }
    }

    pub const fn token(self) -> &'static str {
        match self {
            Self::LabelTool => Source::LabelTool.token(),
            Self::CaskCatalog => Source::CaskCatalog.token(),
            Self::RecipeIndex => Source::RecipeIndex.token(),
            Self::MdmInstaller => Source::MdmInstaller.token(),
            Self::StoreListing => Source::StoreListing.token(),
            Self::LabelVersions => "label_versions",
            Self::PatchTitles => "patch_titles",
        }
    }

    pub fn from_token(token: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|upstream| upstream.token() == token)
    }

    /// Splits the upstream's file into documents. The file may be compressed with gzip or zstd. No
    /// time in it counts as being in the future.
    pub fn read(self, file: &[u8]) -> Result<ParsedFile, FileError> {
        self.read_within(file, MAX_UNPACKED_BYTES, Timestamp::MAX, &mut Budget::default())
    }

    /// Like [`Self::read`], for a file of at most `limit` bytes when unpacked that was received at
    /// a time. Findings after that time are ignored. The entries that are kept, and the work of
    /// finding them, are taken from the budget.
    pub fn read_within(
        self,
        file: &[u8],
        limit: usize,
        received_at: Timestamp,
        budget: &mut Budget,
    ) -> Result<ParsedFile, FileError> {
        let parsed = read_unpacked(file, limit, |reader| self.split(reader, received_at, budget))?;
        let kept: usize = parsed.entries.iter().map(|entry| entry.body.len()).sum();
        let most = self.max_kept_bytes(budget.limits());
        if kept as u64 > most {
            return Err(Exceeded::Bytes(most).into());
        }
        Ok(parsed)
    }

    /// The maximum bytes of documents that one file may have. All documents are in memory while a
    /// revision is made, so these are a few times the real ones, or more with higher limits.
    fn max_kept_bytes(self, limits: &Limits) -> u64 {
        let times = (limits.bytes / Limits::FILE.bytes).max(1);
        (self.usual_bytes() as u64).saturating_mul(times)
    }

    const fn usual_bytes(self) -> usize {
        match self {
            Self::LabelTool => label_tool::MAX_FRAGMENTS_BYTES,
            Self::CaskCatalog => 64 << 20,
            Self::RecipeIndex | Self::StoreListing => 24 << 20,
            Self::MdmInstaller | Self::LabelVersions => 8 << 20,
            Self::PatchTitles => 2 << 20,
        }
    }

    /// Files are read in pieces, so that a large one is never in memory as a whole.
    fn split(
        self,
        reader: &mut dyn BufRead,
        received_at: Timestamp,
        budget: &mut Budget,
    ) -> Result<ParsedFile, FileError> {
        match self {
            Self::LabelTool => label_tool::read(reader, budget),
            Self::CaskCatalog => cask_catalog::read(reader, budget),
            Self::LabelVersions => label_versions::read(reader, received_at, budget),
            Self::RecipeIndex => recipe_index::read(reader, budget),
            Self::MdmInstaller => mdm_installer::read(reader, budget),
            Self::StoreListing => store_listing::read(reader, budget),
            Self::PatchTitles => patch_titles::read(reader, budget),
        }
    }

    /// The key prefix of the documents that a new file of this upstream replaces. The installer
    /// titles come in two files, which do not replace each other.
    pub fn replaced_prefix(self, parsed: &ParsedFile) -> &'static str {
        let first = parsed.entries.first().map_or("", |document| document.key.as_str());
        match self {
            Self::MdmInstaller if first.starts_with(mdm_installer::TABLE) => mdm_installer::TABLE,
            Self::MdmInstaller => mdm_installer::TITLES,
            Self::LabelTool => FRAGMENT,
            _ => "",
        }
    }

    /// Whether a document can be decoded; the error is the reason why not. Labels, titles and
    /// tracked versions are decided when all of them are read.
    pub fn check(self, document: &UpstreamEntry) -> Result<(), String> {
        match self {
            Self::CaskCatalog => cask_catalog::parse(document).map(drop),
            Self::RecipeIndex => recipe_index::parse(document).map(drop),
            Self::StoreListing => store_listing::parse(document).map(drop),
            Self::PatchTitles => patch_titles::parse(document).map(drop),
            Self::LabelTool | Self::MdmInstaller | Self::LabelVersions => Ok(()),
        }
    }

    /// The input of stitching. `take` returns the documents of an upstream.
    pub fn decode_all(mut take: impl FnMut(Self) -> Vec<UpstreamEntry>) -> Documents {
        let mut decoded = Documents::default();
        let tracked = tracked_versions(&take(Self::LabelVersions));
        label_tool::decode(&take(Self::LabelTool), &tracked, &mut decoded);
        let others = Self::ALL.into_iter();
        for upstream in
            others.filter(|upstream| !matches!(upstream, Self::LabelTool | Self::LabelVersions))
        {
            upstream.decode(&take(upstream), &mut decoded);
        }
        decoded
    }

    /// Adds this upstream's documents to the input of stitching. A stored document that this
    /// version rejects is skipped. The tracked versions of labels are not input by themselves; see
    /// [`Self::decode_all`].
    pub fn decode(self, documents: &[UpstreamEntry], into: &mut Documents) {
        match self {
            Self::LabelTool => label_tool::decode(documents, &TrackedVersions::default(), into),
            Self::LabelVersions => {}
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
            Self::PatchTitles => {
                into.patch_titles.extend(
                    documents.iter().filter_map(|document| patch_titles::parse(document).ok()),
                );
            }
        }
    }
}

fn tracked_versions(documents: &[UpstreamEntry]) -> TrackedVersions {
    TrackedVersions::decode(documents.iter().map(|entry| (entry.key.as_str(), &entry.body[..])))
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
        let text = b"sample)\n    name=\"Sample\"\n    ;;\n";
        archive_of("main/fragments/labels/sample.sh", text)
    }

    fn version_archive() -> Vec<u8> {
        let text = br#"[{"appNewVersion":"1.0","timeStamp":"2026-11-15T10:00:00Z"}]"#;
        archive_of("main/TrackedLabelDetails/sample.json", text)
    }

    fn archive_of(path: &str, text: &[u8]) -> Vec<u8> {
        let mut archive = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_cksum();
        archive.append_data(&mut header, path, text).unwrap();
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
            (Upstream::LabelVersions, version_archive()),
            (Upstream::PatchTitles, br#"[{"name_id":"0A1","app_name":"a"}]"#.to_vec()),
        ] {
            for packed in [file.clone(), gzip(&file), zstd::bulk::compress(&file, 3).unwrap()] {
                let parsed = upstream.read(&packed).unwrap();
                assert_eq!(parsed.entries.len(), 1, "{upstream:?}");
                let refused = upstream.read_within(
                    &packed,
                    file.len() / 10,
                    Timestamp::MAX,
                    &mut Budget::default(),
                );
                assert_eq!(refused, Err(FileError::TooLarge { limit: file.len() / 10 }));
            }
        }
    }
}
