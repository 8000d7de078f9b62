//! The files of a revision, made from its snapshot.

use std::{collections::BTreeSet, io};

use appstitch_snapshot::{PublishedRevision, Snapshot};
use bytes::Bytes;
use jiff::Timestamp;
use thiserror::Error;

use crate::{
    KEY, SIGNATURE,
    codec::Codec,
    delta,
    digest::sha256,
    index::{Delta, Index, Licence, PackedFile, SCHEMA},
    patch::{self, patch_path},
    received::Received,
    records::Records,
    signature::{Signer, signature_of},
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
    /// What signs the index, and the public key, by their names.
    beside: Vec<(String, Bytes)>,
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
    /// Makes every file. This takes about a second of processor time for a whole catalog. `copy` is that
    /// of the store with the same revision.
    pub fn of(
        snapshot: &Snapshot,
        copy: Option<&[u8]>,
        signer: Option<&Signer>,
    ) -> Result<Self, MakeError> {
        let revision = snapshot.revision().ok_or(MakeError::Empty)?;
        let records = read_records(snapshot, revision)?;
        let raw = records.to_bytes();
        let mut packer = Packer { revision: &revision.token, packed: Vec::new() };
        let snapshot_file = packer.add("catalog.ndjson.zst", &raw)?;
        let snapshot_gzip = packer.add("catalog.ndjson.gz", &raw)?;
        let with_sources =
            copy.map(|copy| packer.add("with-sources.ndjson.zst", copy)).transpose()?;
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
            serial: serial_at(revision.changed_at),
            revision: revision.token.clone(),
            at: revision.changed_at,
            apps: records.len() as u64,
            snapshot: snapshot_file,
            snapshot_gzip,
            with_sources,
            deltas,
            licences: LICENCES
                .map(|(source, licence)| Licence { source: source.into(), licence: licence.into() })
                .into(),
            next_key: signer.and_then(Signer::next_key),
        };
        let index_bytes = index.to_bytes()?;
        let packed = packer.packed;
        let beside = signer.map(|signer| signed(signer, &index, &index_bytes)).unwrap_or_default();
        Ok(Self { index, index_bytes: index_bytes.into(), beside, packed })
    }

    /// Adds patches for those who have the copy of an older revision.
    pub fn add_patches(
        &mut self,
        older: impl IntoIterator<Item = (String, Vec<u8>)>,
    ) -> io::Result<()> {
        let Some(newer) = self.copy() else { return Ok(()) };
        for (revision, copy) in older {
            if let Some(patch) = patch::make(&copy, &newer)? {
                let path = patch_path(&self.index.revision, &revision);
                self.packed.push((path, patch.into()));
            }
        }
        Ok(())
    }

    /// The copy of the store, unpacked. It was packed here, so nothing is verified.
    pub fn copy(&self) -> Option<Vec<u8>> {
        let file = self.index.with_sources.as_ref()?;
        let (_, packed) = self.packed.iter().find(|(path, _)| *path == file.path)?;
        Codec::Zstd.unpack(packed, file.raw_size).ok()
    }

    /// The same files under the index and the signatures of the one who made the catalog. Another
    /// version of the program may have packed them into other bytes; then nothing can be handed on.
    pub fn handed_on(self, received: &Received) -> Result<Self, Box<Self>> {
        let is_same = |index: &Index| {
            index.revision == self.index.revision && index.files().eq(self.index.files())
        };
        let Some(index) = received.index().ok().filter(is_same) else { return Err(self.into()) };
        let beside = received.beside.iter();
        Ok(Self {
            index,
            index_bytes: received.index.clone().into(),
            beside: beside.map(|(name, text)| (name.clone(), text.clone().into())).collect(),
            packed: self.packed,
        })
    }

    pub fn index_bytes(&self) -> &Bytes {
        &self.index_bytes
    }

    pub fn is_signed(&self) -> bool {
        self.beside.iter().any(|(name, _)| name == SIGNATURE)
    }

    /// The files beside the index, by their names: what signs it, and the public key. While keys change,
    /// each signature also has the name of its key.
    pub fn beside_index(&self) -> &[(String, Bytes)] {
        &self.beside
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

fn signed(signer: &Signer, index: &Index, bytes: &[u8]) -> Vec<(String, Bytes)> {
    let Signer { current, next } = signer;
    let comment = index.trusted_comment();
    let mut beside = vec![(SIGNATURE.to_owned(), current.sign(bytes, &comment).into())];
    for key in next.iter().flat_map(|next| [current, next]) {
        beside.push((signature_of(&key.public().id()), key.sign(bytes, &comment).into()));
    }
    beside.push((KEY.to_owned(), current.public().file().into()));
    beside
}

/// The serial of a revision: its time in seconds. Unlike a counter in the store it also grows if a store is set up
/// again from the sources, and after a backup was restored.
pub fn serial_at(changed_at: Timestamp) -> u64 {
    u64::try_from(changed_at.as_second()).unwrap_or_default()
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
