//! The files of a revision, made from its snapshot.

use std::{collections::BTreeSet, io};

use appstitch_snapshot::{PublishedRevision, Snapshot};
use bytes::Bytes;
use thiserror::Error;

use crate::{
    INDEX, KEY, SIGNATURE,
    codec::Codec,
    delta,
    digest::sha256,
    index::{Delta, Index, Licence, PackedFile, SCHEMA},
    records::Records,
    signature::Signer,
};

/// How many older revisions have a delta to the newest one.
const MOST_DELTAS: usize = 30;

/// What the sources are published under, as far as they say so.
const LICENCES: [(&str, &str); 3] = [
    ("label_tool", "Apache-2.0"),
    ("cask_catalog", "BSD-2-Clause"),
    ("recipe_index", "Apache-2.0"),
];

/// Every file of one revision. The same snapshot and keys give the same bytes on every machine.
pub struct CatalogFiles {
    pub index: Index,
    index_bytes: Bytes,
    /// The signature, and beside it one of each key by its identifier.
    signature: Option<Bytes>,
    signatures: Vec<(String, Bytes)>,
    key: Option<Bytes>,
    /// By their path.
    packed: Vec<(String, Bytes)>,
}

#[derive(Debug, Error)]
pub enum MakeError {
    #[error("nothing has been published yet")]
    Empty,
    #[error("cannot pack a file: {0}")]
    Pack(#[from] io::Error),
    #[error("cannot read a record: {0}")]
    Record(#[from] serde_json::Error),
    #[error("a record is not UTF-8")]
    Encoding,
}

impl CatalogFiles {
    /// Makes every file. This takes about a second of processor time for a whole catalog.
    pub fn of(snapshot: &Snapshot, signer: Option<&Signer>) -> Result<Self, MakeError> {
        let revision = snapshot.revision().ok_or(MakeError::Empty)?;
        let records = read_records(snapshot, revision)?;
        let raw = records.to_bytes();
        let mut packer = Packer { revision: &revision.token, packed: Vec::new() };
        let snapshot_file = packer.add("catalog.ndjson.zst", &raw)?;
        let snapshot_gzip = packer.add("catalog.ndjson.gz", &raw)?;
        let mut deltas = Vec::new();
        for (older, delta) in changes_since(snapshot, &records) {
            // A delta of half the size saves nothing that matters.
            if delta.len() > raw.len() / 2 {
                break;
            }
            let file = packer.add(&format!("from-{older}.ndjson.zst"), &delta)?;
            deltas.push(Delta { from: older, file });
        }
        let index = Index {
            schema: SCHEMA,
            catalog: snapshot.journal().epoch().to_owned(),
            serial: serial_of(revision),
            revision: revision.token.clone(),
            at: revision.changed_at,
            apps: records.len() as u64,
            snapshot: snapshot_file,
            snapshot_gzip,
            deltas,
            licences: LICENCES
                .map(|(source, licence)| Licence { source: source.into(), licence: licence.into() })
                .into(),
            next_key: signer.and_then(Signer::next_key),
        };
        let index_bytes = index.to_bytes()?;
        let packed = packer.packed;
        let mut files = Self {
            index,
            index_bytes: index_bytes.into(),
            signature: None,
            signatures: Vec::new(),
            key: None,
            packed,
        };
        files.sign(signer);
        Ok(files)
    }

    fn sign(&mut self, signer: Option<&Signer>) {
        let Some(Signer { current, next }) = signer else { return };
        let comment = self.index.trusted_comment();
        for key in std::iter::once(current).chain(next) {
            let signature = Bytes::from(key.sign(&self.index_bytes, &comment));
            self.signature.get_or_insert_with(|| signature.clone());
            self.signatures.push((key.public().id(), signature));
        }
        self.key = Some(current.public().file().into());
    }

    pub fn index_bytes(&self) -> &Bytes {
        &self.index_bytes
    }

    /// `None` if the catalog is not signed.
    pub fn signature(&self) -> Option<&Bytes> {
        self.signature.as_ref()
    }

    /// The files beside the index, by their names: what signs it, and the public key. While keys change,
    /// each signature also has the name of its key.
    pub fn beside_index(&self) -> impl Iterator<Item = (String, &Bytes)> {
        let usual = self.signature.iter().map(|bytes| (SIGNATURE.to_owned(), bytes));
        let each = self.signatures.iter().filter(|_| self.signatures.len() > 1);
        let each = each.map(|(key, bytes)| (format!("{INDEX}.{key}.minisig"), bytes));
        usual.chain(each).chain(self.key.iter().map(|bytes| (KEY.to_owned(), bytes)))
    }

    /// The signatures by the identifiers of their keys: two while keys change.
    pub fn signatures(&self) -> &[(String, Bytes)] {
        &self.signatures
    }

    /// The public key, as a file.
    pub fn key(&self) -> Option<&Bytes> {
        self.key.as_ref()
    }

    /// A file below the folder of the revision.
    pub fn file(&self, name: &str) -> Option<&Bytes> {
        let is_named = |path: &str| path.rsplit('/').next() == Some(name);
        self.packed.iter().find(|(path, _)| is_named(path)).map(|(_, bytes)| bytes)
    }

    /// The names of the files below the folder of the revision.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.packed.iter().filter_map(|(path, _)| path.rsplit('/').next())
    }

    /// How many bytes are held.
    pub fn size(&self) -> usize {
        self.packed.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() + self.index_bytes.len()
    }
}

/// The time of the revision, in seconds. Unlike a counter in the store it also grows if a store is set up again
/// from the sources, and after a backup was restored.
fn serial_of(revision: &PublishedRevision) -> u64 {
    u64::try_from(revision.changed_at.as_second()).unwrap_or_default()
}

fn read_records(snapshot: &Snapshot, revision: &PublishedRevision) -> Result<Records, MakeError> {
    let rows = snapshot.apps().rows();
    let mut lines = Vec::with_capacity(rows.len());
    for position in (0..).take(rows.len()) {
        let record = str::from_utf8(rows.row(position)).map_err(|_| MakeError::Encoding)?;
        lines.push((snapshot.slug(position).to_owned(), record.into()));
    }
    Ok(Records { revision: revision.token.clone(), lines })
}

/// The deltas from older revisions, newest first. Each covers every app with a change since then.
fn changes_since(
    snapshot: &Snapshot,
    records: &Records,
) -> impl Iterator<Item = (String, Vec<u8>)> {
    let journal = snapshot.journal();
    let older = journal.revisions().rev().filter(|known| known.token != records.revision);
    older.filter(|known| known.newest >= journal.floor()).take(MOST_DELTAS).map(|older| {
        let rows = journal.after(older.newest);
        let slugs: BTreeSet<&str> =
            rows.flat_map(|row| [Some(row.slug()), row.former_slug()]).flatten().collect();
        let lines = &records.lines;
        let changes = slugs.into_iter().map(|slug| {
            let found = lines.binary_search_by(|(known, _)| known.as_str().cmp(slug));
            (slug, found.ok().map(|position| &*lines[position].1))
        });
        (older.token.clone(), delta::write(changes))
    })
}

struct Packer<'a> {
    revision: &'a str,
    packed: Vec<(String, Bytes)>,
}

impl Packer<'_> {
    fn add(&mut self, name: &str, raw: &[u8]) -> io::Result<PackedFile> {
        let codec = Codec::of(name).unwrap_or(Codec::Zstd);
        let bytes = codec.pack(raw)?;
        let path = format!("{}/{name}", self.revision);
        let file = PackedFile {
            path: path.clone(),
            size: bytes.len() as u64,
            sha256: sha256(&bytes),
            raw_size: raw.len() as u64,
            raw_sha256: sha256(raw),
        };
        self.packed.push((path, bytes.into()));
        Ok(file)
    }
}
