use std::io;

use appstitch_budget::Exceeded;
use thiserror::Error;

use super::FORMAT_VERSION;
use crate::error::StoreError;

/// Why a backup could not be written, read or restored. The messages never contain values of rows.
#[derive(Debug, Error)]
pub enum BackupError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("writing failed: {0}")]
    Write(io::Error),
    #[error("reading failed: {0}")]
    Read(io::Error),
    #[error("not a backup of appstitch")]
    NotABackup,
    #[error(
        "the backup has format {found}, but this version reads formats up to {FORMAT_VERSION}; use the version that wrote it, or a newer one"
    )]
    TooNew { found: u32 },
    #[error("a newer version of appstitch made the app '{slug}'; use that version, or a newer one")]
    Unknown { slug: String },
    #[error("the backup is incomplete: its end is missing")]
    Incomplete,
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    #[error("the backup is too large: {0}")]
    TooLarge(#[from] Exceeded),
    #[error("the key must have {shortest} to {longest} bytes, without white space at its ends")]
    Key { shortest: usize, longest: usize },
    #[error("the key does not open the secrets in the backup")]
    WrongKey,
    #[error("cannot seal the secrets")]
    Sealing,
}
