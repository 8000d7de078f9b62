//! Verifying the files of a folder: the one that a server writes, a copy of it, or a stick.

use std::{fs::File, io, io::Read, path::Path};

use thiserror::Error;

use crate::{
    INDEX, SIGNATURE,
    codec::{Codec, CodecError},
    delta::DeltaError,
    digest::sha256,
    index::{Index, IndexError, PackedFile},
    keys::PublicKey,
    records::{Records, RecordsError},
    signature::{VerifyError, verify},
};

/// Longer files of an index or a signature are no such files.
const MOST_BYTES: u64 = 1 << 20;

/// What a folder holds.
#[derive(Debug)]
pub struct Verified {
    pub index: Index,
    /// `None` if it was not asked for, because no key was given.
    pub is_signed: bool,
    /// How many of the files that the index names are there. All of them are as the index says.
    pub files: usize,
    /// Those that are not there.
    pub missing: Vec<String>,
}

#[derive(Debug, Error)]
pub enum FolderError {
    #[error("cannot read {name}: {error}")]
    Read { name: String, error: io::Error },
    #[error("{INDEX}: {0}")]
    Index(#[from] IndexError),
    #[error("{SIGNATURE}: {0}")]
    Signature(#[from] VerifyError),
    #[error("{0} is not the file that the index names: its size or hash differs")]
    Changed(String),
    #[error("{name}: {error}")]
    Unpack { name: String, error: CodecError },
    #[error("{name}: {error}")]
    Records { name: String, error: RecordsError },
    #[error("{name}: {error}")]
    Delta { name: String, error: DeltaError },
    #[error("neither of the two forms of the catalog is in the folder")]
    NoSnapshot,
}

/// Verifies the signature with the keys, if there are any, and every file that is there.
pub fn verify_folder(folder: &Path, keys: &[PublicKey]) -> Result<Verified, FolderError> {
    let bytes = read(folder, INDEX, MOST_BYTES)?;
    let index = Index::read(&bytes)?;
    if !keys.is_empty() {
        let signature = read(folder, SIGNATURE, MOST_BYTES)?;
        let signature = String::from_utf8(signature).map_err(|_| VerifyError::Malformed)?;
        verify(&bytes, &index, &signature, keys)?;
    }
    let (mut files, mut missing) = (0, Vec::new());
    for file in index.files() {
        match read(folder, &file.path, file.size.saturating_add(1)) {
            Ok(bytes) => check(&index, file, &bytes)?,
            Err(FolderError::Read { error, .. }) if error.kind() == io::ErrorKind::NotFound => {
                missing.push(file.path.clone());
                continue;
            }
            Err(error) => return Err(error),
        }
        files += 1;
    }
    let has = |file: &PackedFile| !missing.contains(&file.path);
    if !has(&index.snapshot) && !has(&index.snapshot_gzip) {
        return Err(FolderError::NoSnapshot);
    }
    Ok(Verified { is_signed: !keys.is_empty(), index, files, missing })
}

/// Checks the size and hash of a file, packed and unpacked, and that it can be read.
fn check(index: &Index, file: &PackedFile, bytes: &[u8]) -> Result<(), FolderError> {
    let name = || file.path.clone();
    if bytes.len() as u64 != file.size || sha256(bytes) != file.sha256 {
        return Err(FolderError::Changed(name()));
    }
    let codec = Codec::of(&file.path).ok_or_else(|| FolderError::Changed(name()))?;
    let raw = codec.unpack(bytes, file.raw_size);
    let raw = raw.map_err(|error| FolderError::Unpack { name: name(), error })?;
    if sha256(&raw) != file.raw_sha256 {
        return Err(FolderError::Changed(name()));
    }
    if index.deltas.iter().any(|delta| delta.file.path == file.path) {
        let applied = Records::default().with_delta(&raw, &index.revision);
        applied.map_err(|error| FolderError::Delta { name: name(), error })?;
    } else {
        let records = Records::read(&raw, index);
        records.map_err(|error| FolderError::Records { name: name(), error })?;
    }
    Ok(())
}

/// Reads a file of the folder, and of a longer one no more than told.
fn read(folder: &Path, name: &str, most: u64) -> Result<Vec<u8>, FolderError> {
    let mut bytes = Vec::new();
    let result =
        File::open(folder.join(name)).and_then(|file| file.take(most).read_to_end(&mut bytes));
    match result {
        Ok(_) => Ok(bytes),
        Err(error) => Err(FolderError::Read { name: name.to_owned(), error }),
    }
}
