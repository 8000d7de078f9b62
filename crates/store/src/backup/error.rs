//! Why a backup could not be written, read or restored.

use std::io;

use appstitch_budget::Exceeded;
use thiserror::Error;

use super::FORMAT_VERSION;
use crate::StoreError;

/// Why a backup could not be written, read or restored. The messages never contain values of rows.
#[derive(Debug, Error)]
pub enum BackupError {
    /// The store could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The backup could not be written.
    #[error("writing failed: {0}")]
    Write(io::Error),
    /// The file could not be read.
    #[error("reading failed: {0}")]
    Read(io::Error),
    /// The file is something else.
    #[error("not a backup of appstitch")]
    NotABackup,
    /// The backup was written by a newer version of the program.
    #[error(
        "the backup has format {found}, but this version reads formats up to {FORMAT_VERSION}; use the version that wrote it, or a newer one"
    )]
    TooNew {
        /// The format of the backup.
        found: u32,
    },
    /// The file ends too early.
    #[error("the backup is incomplete: its end is missing")]
    Incomplete,
    /// The file is not what was written.
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    /// The backup is larger than any store.
    #[error("the backup is too large: {0}")]
    TooLarge(#[from] Exceeded),
    /// The key cannot be used.
    #[error("the key must have {shortest} to {longest} bytes, without white space at its ends")]
    Key {
        /// The fewest bytes.
        shortest: usize,
        /// The most bytes.
        longest: usize,
    },
    /// The secrets were sealed with another key.
    #[error("the key does not open the secrets in the backup")]
    WrongKey,
    /// The secrets could not be sealed.
    #[error("cannot seal the secrets")]
    Sealing,
}
