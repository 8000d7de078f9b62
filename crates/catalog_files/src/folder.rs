//! Verifying the files of a folder: the one that a server writes, a copy of it, or a stick.

use std::{fs::File, io, io::Read, path::Path};

use appstitch_snapshot::ServedEntry;
use appstitch_store::{BackupError, check_copy};
use thiserror::Error;

use crate::{
    INDEX, MOST_INDEX_BYTES, MOST_SIGNATURE_BYTES, SIGNATURE,
    delta::DeltaError,
    index::{Index, IndexError, PackedFile},
    keys::PublicKey,
    packed::FileError,
    records::{Records, RecordsError},
    signature::{VerifyError, signature_of, verify},
};

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
    #[error("the catalog is not signed: {SIGNATURE} is missing")]
    NotSigned,
    #[error("{SIGNATURE}: {0}")]
    Signature(#[from] VerifyError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{name}: {error}")]
    Records { name: String, error: RecordsError },
    #[error("{name}: {error}")]
    Delta { name: String, error: DeltaError },
    #[error("{name}: {error}")]
    Copy { name: String, error: BackupError },
    #[error("neither of the two forms of the catalog is in the folder")]
    NoSnapshot,
}

/// Verifies the signature with the keys, if there are any, and every file that is there.
pub fn verify_folder(folder: &Path, keys: &[PublicKey]) -> Result<Verified, FolderError> {
    let bytes = read(folder, INDEX, MOST_INDEX_BYTES + 1)?;
    let index = Index::read(&bytes)?;
    if !keys.is_empty() {
        verify_signature(folder, &bytes, &index, keys)?;
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

/// Verifies the signature of one of the keys. While keys change, each key has a signature of its own.
fn verify_signature(
    folder: &Path,
    bytes: &[u8],
    index: &Index,
    keys: &[PublicKey],
) -> Result<(), FolderError> {
    let usual = verify_file(folder, SIGNATURE, bytes, index, keys);
    let Err(FolderError::Signature(VerifyError::UnknownKey)) = usual else { return usual };
    let mut each = keys.iter().map(|key| signature_of(&key.id()));
    let found = each.find(|name| folder.join(name).exists());
    found.map_or(usual, |name| verify_file(folder, &name, bytes, index, keys))
}

fn verify_file(
    folder: &Path,
    name: &str,
    bytes: &[u8],
    index: &Index,
    keys: &[PublicKey],
) -> Result<(), FolderError> {
    let signature = match read(folder, name, MOST_SIGNATURE_BYTES + 1) {
        Err(FolderError::Read { error, .. }) if error.kind() == io::ErrorKind::NotFound => {
            return Err(FolderError::NotSigned);
        }
        signature => signature?,
    };
    let signature = String::from_utf8(signature).map_err(|_| VerifyError::Malformed)?;
    verify(bytes, index, &signature, keys)?;
    Ok(())
}

/// Checks the size and hash of a file, packed and unpacked, and that it can be read.
fn check(index: &Index, file: &PackedFile, bytes: &[u8]) -> Result<(), FolderError> {
    let raw = file.unpack(bytes)?;
    let name = || file.path.clone();
    if index.with_sources.as_ref() == Some(file) {
        check_copy(&raw, |app| ServedEntry::read(app).is_ok())
            .map_err(|error| FolderError::Copy { name: name(), error })?;
    } else if index.deltas.iter().any(|delta| delta.file.path == file.path) {
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
