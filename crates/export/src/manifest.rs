//! `manifest.json`: every address of a release with its file, its header fields and its hash.
//!
//! It is what an uploader to an object storage needs, and what the next export compares with. Header
//! fields that many responses share are listed once, as kinds. Every address is on a separate line.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::Path,
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub(crate) const MANIFEST: &str = "manifest.json";

const FORMAT: u32 = 1;

/// What an export depends on. Two exports with the same state have the same files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) format: u32,
    /// The token inside the entity tag of the catalog.
    pub(crate) revision: String,
    /// The token inside the entity tag of the pages.
    pub(crate) page_tag: String,
    pub(crate) program: String,
}

impl State {
    pub(crate) fn new(revision: &str, page_tag: &str, program: &str) -> Self {
        let [revision, page_tag, program] = [revision, page_tag, program].map(str::to_owned);
        Self { format: FORMAT, revision, page_tag, program }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    #[serde(flatten)]
    pub(crate) state: State,
    pub(crate) kinds: Vec<Map<String, Value>>,
    pub(crate) files: Vec<ManifestEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ManifestEntry {
    /// The path with its query, percent-encoded.
    pub(crate) address: String,
    pub(crate) route: String,
    /// The file, relative to the release.
    pub(crate) file: String,
    /// The file that it links to, if it is a link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) own: Option<String>,
    /// The number of its header fields in `kinds`.
    pub(crate) kind: usize,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(crate) headers: Map<String, Value>,
    /// The length of the plain file.
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
    /// Whether `.gz` and `.zst` files are beside it.
    pub(crate) packed: bool,
}

impl ManifestEntry {
    pub(crate) fn content_file(&self) -> &str {
        self.own.as_ref().unwrap_or(&self.file)
    }
}

impl Manifest {
    /// Reads the manifest of a release; `None` if it cannot be used.
    pub(crate) fn read(release: &Path) -> Option<Self> {
        let text = fs::read(release.join(MANIFEST)).ok()?;
        let manifest: Self = serde_json::from_slice(&text).ok()?;
        (manifest.state.format == FORMAT).then_some(manifest)
    }

    pub(crate) fn write(&self, release: &Path) -> io::Result<()> {
        let mut file = BufWriter::new(File::create_new(release.join(MANIFEST))?);
        let state = serde_json::to_string(&self.state)?;
        file.write_all(state.trim_end_matches('}').as_bytes())?;
        for (name, lines) in [("kinds", lines(&self.kinds)), ("files", lines(&self.files))] {
            write!(file, ",\n\"{name}\": [")?;
            for (number, line) in lines.enumerate() {
                file.write_all(if number == 0 { b"\n" } else { b",\n" })?;
                file.write_all(&line?)?;
            }
            file.write_all(b"\n]")?;
        }
        file.write_all(b"}\n")?;
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }
}

/// Every value as JSON.
fn lines<T: Serialize>(
    values: &[T],
) -> Box<dyn Iterator<Item = Result<Vec<u8>, serde_json::Error>> + '_> {
    Box::new(values.iter().map(serde_json::to_vec))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Manifest::read(folder.path()).is_none());
        let kind = Map::from_iter([("content-type".to_owned(), Value::from("application/json"))]);
        let entry = ManifestEntry {
            address: "/apps?limit=100&offset=100".to_owned(),
            route: "/apps".to_owned(),
            file: "apps/@pages/100-100.json".to_owned(),
            own: Some("@own/apps/@pages/100-100,total=200.json".to_owned()),
            kind: 0,
            headers: Map::from_iter([("x-total-count".to_owned(), Value::from("200"))]),
            bytes: 7,
            sha256: "00".repeat(32),
            packed: true,
        };
        let state = State::new("token", "tag", "0.1.0");
        let files = vec![entry.clone(), ManifestEntry { own: None, ..entry }];
        let manifest = Manifest { state, kinds: vec![kind], files };
        manifest.write(folder.path()).unwrap();
        let read = Manifest::read(folder.path()).unwrap();
        assert_eq!((&read.state, &read.kinds), (&manifest.state, &manifest.kinds));
        assert_eq!(read.files, manifest.files);
        assert!(manifest.write(folder.path()).is_err(), "never overwritten");
        fs::write(folder.path().join(MANIFEST), "{").unwrap();
        assert!(Manifest::read(folder.path()).is_none());
    }
}
