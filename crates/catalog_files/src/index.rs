//! The index: what is newest, and every other file by its hash.

use appstitch_snapshot::is_revision_token;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{codec::Codec, digest::is_sha256};

/// Readers refuse an index with a higher number.
pub const SCHEMA: u32 = 1;

/// An index of somebody else is not read beyond this length.
pub(crate) const LONGEST_INDEX: usize = 256 << 10;

/// No file of the catalog may be longer when it is unpacked.
const LONGEST_FILE: u64 = 512 << 20;

const MOST_DELTAS: usize = 1000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    pub schema: u32,
    /// Names the catalog. Another store, or one that was set up again, has another name.
    pub catalog: String,
    /// Grows with every revision of a catalog.
    pub serial: u64,
    pub revision: String,
    pub at: Timestamp,
    pub apps: u64,
    /// Every record, as `zst` and as `gz`: the same lines.
    pub snapshot: PackedFile,
    pub snapshot_gzip: PackedFile,
    /// Everything that is served, with the documents of the sources: what a mirror needs. Missing if the
    /// store keeps what another version of the program serves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with_sources: Option<PackedFile>,
    /// Newest first.
    pub deltas: Vec<Delta>,
    pub licences: Vec<Licence>,
    /// The public key that will sign next, while keys change.
    pub next_key: Option<String>,
}

/// A compressed file, with its length and hash in both forms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedFile {
    /// Below the folder of the index.
    pub path: String,
    pub size: u64,
    pub sha256: String,
    pub raw_size: u64,
    pub raw_sha256: String,
}

/// What leads from an older revision to this one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delta {
    /// The older revision.
    pub from: String,
    #[serde(flatten)]
    pub file: PackedFile,
}

/// What a source of the catalog is published under.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Licence {
    pub source: String,
    pub licence: String,
}

#[derive(Debug, Error)]
pub enum IndexError {
    #[error("the index has schema {0}, and this version reads up to {SCHEMA}; use a newer version")]
    NewerSchema(u64),
    #[error("the index is longer than {LONGEST_INDEX} bytes")]
    TooLong,
    #[error("the index cannot be read: {0}")]
    Malformed(#[from] serde_json::Error),
    #[error("the index names a file '{0}', which is not below its own folder")]
    Path(String),
    #[error("the index gives '{0}' an impossible size or hash")]
    File(String),
    #[error("the index has more than {MOST_DELTAS} deltas")]
    TooManyDeltas,
    #[error("the index has a revision of another form than 20260305T060708Z-0123456789ab")]
    Revision,
}

impl Index {
    pub fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut bytes = serde_json::to_vec(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Reads an index of somebody else. The schema is looked at first: a newer one may have other keys.
    pub fn read(bytes: &[u8]) -> Result<Self, IndexError> {
        #[derive(Deserialize)]
        struct Version {
            schema: u64,
        }
        if bytes.len() > LONGEST_INDEX {
            return Err(IndexError::TooLong);
        }
        let Version { schema } = serde_json::from_slice(bytes)?;
        if schema > u64::from(SCHEMA) {
            return Err(IndexError::NewerSchema(schema));
        }
        let index: Self = serde_json::from_slice(bytes)?;
        if index.deltas.len() > MOST_DELTAS {
            return Err(IndexError::TooManyDeltas);
        }
        let older = index.deltas.iter().map(|delta| &delta.from);
        // They become names of files and parts of URLs and headers.
        if !older.chain([&index.revision]).all(|revision| is_revision_token(revision)) {
            return Err(IndexError::Revision);
        }
        index.files().try_for_each(PackedFile::check)?;
        Ok(index)
    }

    /// Every file that it names.
    pub fn files(&self) -> impl Iterator<Item = &PackedFile> {
        let deltas = self.deltas.iter().map(|delta| &delta.file);
        let snapshots = [&self.snapshot, &self.snapshot_gzip].into_iter();
        snapshots.chain(&self.with_sources).chain(deltas)
    }

    /// The text that is signed with the index. It can be read without the index.
    pub fn trusted_comment(&self) -> String {
        let Self { catalog, serial, revision, .. } = self;
        format!("appstitch catalog {catalog} serial:{serial} revision:{revision}")
    }
}

impl PackedFile {
    fn check(&self) -> Result<(), IndexError> {
        let is_plain = |part: &str| {
            !part.is_empty()
                && !part.starts_with('.')
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        };
        if self.path.split('/').count() > 3 || !self.path.split('/').all(is_plain) {
            return Err(IndexError::Path(self.path.chars().take(100).collect()));
        }
        let is_possible = self.size <= LONGEST_FILE
            && self.raw_size <= LONGEST_FILE
            && is_sha256(&self.sha256)
            && is_sha256(&self.raw_sha256)
            && Codec::of(&self.path).is_some();
        if is_possible { Ok(()) } else { Err(IndexError::File(self.path.clone())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> PackedFile {
        let hash = "0f".repeat(32);
        PackedFile {
            path: path.to_owned(),
            size: 10,
            sha256: hash.clone(),
            raw_size: 20,
            raw_sha256: hash,
        }
    }

    fn index() -> Index {
        Index {
            schema: SCHEMA,
            catalog: "3f9a2c71".to_owned(),
            serial: 812,
            revision: "20260822T193104Z-0a14e3052f33".to_owned(),
            at: "2026-08-22T19:31:04Z".parse().unwrap(),
            apps: 2,
            snapshot: file("20260822T193104Z-0a14e3052f33/catalog.ndjson.zst"),
            snapshot_gzip: file("20260822T193104Z-0a14e3052f33/catalog.ndjson.gz"),
            with_sources: Some(file("20260822T193104Z-0a14e3052f33/with-sources.ndjson.zst")),
            deltas: vec![Delta {
                from: "20260821T193015Z-5ff4f93bff9c".to_owned(),
                file: file("r/from-older.ndjson.zst"),
            }],
            licences: Vec::new(),
            next_key: None,
        }
    }

    #[test]
    fn an_index_is_read_as_it_was_written() {
        let bytes = index().to_bytes().unwrap();
        assert_eq!(Index::read(&bytes).unwrap(), index());
        assert_eq!(
            index().trusted_comment(),
            "appstitch catalog 3f9a2c71 serial:812 revision:20260822T193104Z-0a14e3052f33"
        );
    }

    #[test]
    fn a_newer_schema_is_told_before_its_keys_are_read() {
        let error = Index::read(br#"{"schema":2,"all":"new"}"#).unwrap_err();
        assert!(matches!(error, IndexError::NewerSchema(2)), "{error}");
        assert!(matches!(Index::read(b"{}"), Err(IndexError::Malformed(_))));
        assert!(matches!(Index::read(&vec![b' '; LONGEST_INDEX + 1]), Err(IndexError::TooLong)));
    }

    #[test]
    fn revisions_that_could_leave_the_folder_are_rejected() {
        for revision in ["", "../../T5060708Z-0123456789ab", "file:///x", "r\r\nset-cookie: a"] {
            let mut index = index();
            index.revision = revision.to_owned();
            let error = Index::read(&index.to_bytes().unwrap()).unwrap_err();
            assert!(matches!(error, IndexError::Revision), "{revision}: {error}");
            let mut index = self::index();
            index.deltas[0].from = revision.to_owned();
            assert!(Index::read(&index.to_bytes().unwrap()).is_err(), "{revision}");
        }
    }

    #[test]
    fn files_elsewhere_or_of_an_impossible_size_are_refused() {
        for path in ["../x.zst", "/etc/x.gz", "a//b.zst", ".x.zst", "a/b/c/d.zst", "a\\b.zst", ""] {
            let mut index = index();
            index.snapshot.path = path.to_owned();
            let error = Index::read(&index.to_bytes().unwrap()).unwrap_err();
            assert!(matches!(error, IndexError::Path(_)), "{path}: {error}");
        }
        let mut huge = index();
        huge.snapshot.raw_size = u64::MAX;
        assert!(matches!(Index::read(&huge.to_bytes().unwrap()), Err(IndexError::File(_))));
        let mut short = index();
        short.deltas[0].file.sha256.pop();
        assert!(matches!(Index::read(&short.to_bytes().unwrap()), Err(IndexError::File(_))));
        let mut plain = index();
        plain.snapshot.path = "catalog.ndjson".to_owned();
        assert!(matches!(Index::read(&plain.to_bytes().unwrap()), Err(IndexError::File(_))));
    }
}
