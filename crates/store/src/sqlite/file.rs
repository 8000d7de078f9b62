//! Detects whether an open store's file was deleted or replaced.

use std::{
    fs::{self, Metadata},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use crate::error::StoreError;

/// The path of an open file, and its identity as device and inode.
///
/// SQLite keeps writing to a file that was deleted or replaced, and those writes are lost at the
/// next start. So every write first checks that the path still leads to the open file.
#[derive(Debug, Clone)]
pub(super) struct OpenFile {
    path: PathBuf,
    identity: (u64, u64),
}

impl OpenFile {
    pub(super) fn new(path: PathBuf) -> Result<Self, StoreError> {
        let identity = identity_at(&path).map_err(|error| StoreError::Gone(error.to_string()))?;
        Ok(Self { path, identity })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn check(&self) -> Result<(), StoreError> {
        match identity_at(&self.path) {
            Ok(found) if found == self.identity => Ok(()),
            Ok(_) => Err(StoreError::Gone("another file is at its path".to_owned())),
            Err(error) => Err(StoreError::Gone(error.to_string())),
        }
    }
}

/// Tells a file from every other one: its device and inode.
pub(super) fn identity(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

fn identity_at(path: &Path) -> io::Result<(u64, u64)> {
    Ok(identity(&fs::metadata(path)?))
}
