//! The upstreams, and how their documents become the input of stitching.

use std::{
    collections::{HashMap, HashSet},
    io::{BufRead, BufReader},
};

use appstitch_budget::{Budget, Exceeded, Limits};
use appstitch_catalog::Documents;
use jiff::Timestamp;

use crate::{
    FileError, ParsedFile, Unreadable, UpstreamEntry, cask_catalog,
    label_tool::{self, Allowance, FRAGMENT, HeldValues, Resolution},
    label_versions::{self, TrackedVersions},
    mdm_installer, recipe_index, store_listing,
    unpack::Unpacked,
};

/// The default size limit of an unpacked upstream file. The largest real file is 19 MB.
pub const MAX_UNPACKED_BYTES: usize = 512 << 20;

/// How many bytes of a file are read at a time. A small file gets a smaller buffer, which is filled
/// with zeros first.
const BUFFER: usize = 64 << 10;
const SMALL_BUFFER: usize = 4 << 10;

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
    /// The versions that a Mac found by running the labels.
    LabelVersions,
}

impl Upstream {
    /// Every upstream.
    pub const ALL: [Self; 6] = [
        Self::LabelTool,
        Self::CaskCatalog,
        Self::RecipeIndex,
        Self::MdmInstaller,
        Self::StoreListing,
        Self::LabelVersions,
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
            Self::LabelVersions => "label_versions",
        }
    }

    /// The upstream with this token (case-sensitive).
    #[must_use]
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
        let unpacked = Unpacked::new(file, limit)
            .map_err(|error| Unreadable(format!("cannot unpack the file: {error}")))?;
        let buffer = file.len().clamp(SMALL_BUFFER, BUFFER);
        let mut reader = BufReader::with_capacity(buffer, unpacked);
        let parsed = self.read_unpacked(&mut reader, received_at, budget);
        if reader.get_ref().is_exceeded() {
            return Err(FileError::TooLarge { limit });
        }
        let parsed = parsed?;
        let kept: usize = parsed.entries.iter().map(|entry| entry.body.len()).sum();
        let most = self.max_kept_bytes(budget.limits());
        if kept as u64 > most {
            return Err(Exceeded::Bytes(most).into());
        }
        Ok(parsed)
    }

    /// The most bytes of documents that one file may have. All documents are in memory while a
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
        }
    }

    /// Files are read in pieces, so that a large one is never in memory as a whole.
    fn read_unpacked(
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
        }
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

    /// The input of stitching. `take` returns the documents of an upstream.
    pub fn decode_all(mut take: impl FnMut(Self) -> Vec<UpstreamEntry>) -> Documents {
        let mut decoded = Documents::default();
        let tracked = tracked_versions(&take(Self::LabelVersions));
        decode_labels(&take(Self::LabelTool), &tracked, &mut decoded);
        let others = Self::ALL.into_iter();
        for upstream in
            others.filter(|upstream| !matches!(upstream, Self::LabelTool | Self::LabelVersions))
        {
            upstream.decode(&take(upstream), &mut decoded);
        }
        decoded
    }

    /// Adds this upstream's documents to the input of stitching. A stored document that this
    /// version rejects is skipped. The tracked versions of labels are no input by themselves; see
    /// [`Self::decode_all`].
    pub fn decode(self, documents: &[UpstreamEntry], into: &mut Documents) {
        match self {
            Self::LabelTool => decode_labels(documents, &TrackedVersions::default(), into),
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
        }
    }
}

/// The key prefix of the results of running labels. The label's file name follows.
pub const RESOLUTION: &str = "resolution/";

fn tracked_versions(documents: &[UpstreamEntry]) -> TrackedVersions {
    TrackedVersions::decode(documents.iter().map(|own| (own.key.as_str(), &own.body[..])))
}

fn decode_labels(documents: &[UpstreamEntry], tracked: &TrackedVersions, into: &mut Documents) {
    let mut resolutions: HashMap<&str, Vec<Resolution>> = HashMap::new();
    let mut main_names: HashSet<&str> = HashSet::new();
    for document in documents {
        if let Some(file) = document.key.strip_prefix(FRAGMENT) {
            // A label's file is named after the label.
            main_names.insert(file.strip_suffix(".sh").unwrap_or(file));
        } else if let Some(file) = document.key.strip_prefix(RESOLUTION)
            && let Ok(resolution) = serde_json::from_slice(&document.body)
        {
            resolutions.entry(file).or_default().push(resolution);
        }
    }
    let mut allowance = Allowance::default();
    into.labels.extend(documents.iter().filter_map(|document| {
        let file = document.key.strip_prefix(FRAGMENT)?;
        let text = std::str::from_utf8(&document.body).ok()?;
        let own = resolutions.get(file).into_iter().flatten();
        let own = own.filter(|resolution| resolution.is_of(text));
        let find = |names: &[String]| {
            HeldValues::choose(own, tracked.of_label(names, |name| main_names.contains(name)))
        };
        label_tool::parse_with(file, text, &mut allowance, find).ok()
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
