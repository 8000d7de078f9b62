//! Which file a store is: the one that was opened, or another under the same name.

use std::{fs, io, os::unix::fs::MetadataExt, path::PathBuf};

use crate::StoreError;

/// An open file's name and identity.
///
/// SQLite goes on writing to a file that was deleted or replaced under it, and what it writes
/// is lost at the next start. So a write first looks whether the name still leads to the file.
#[derive(Debug, Clone)]
pub(super) struct OpenFile {
    path: PathBuf,
    identity: (u64, u64),
}

impl OpenFile {
    pub(super) fn new(path: PathBuf) -> Result<Self, StoreError> {
        let identity = identity(&path).map_err(|error| StoreError::Gone(error.to_string()))?;
        Ok(Self { path, identity })
    }

    pub(super) fn check(&self) -> Result<(), StoreError> {
        match identity(&self.path) {
            Ok(found) if found == self.identity => Ok(()),
            Ok(_) => Err(StoreError::Gone("another file has taken its place".to_owned())),
            Err(error) => Err(StoreError::Gone(error.to_string())),
        }
    }
}

fn identity(path: &PathBuf) -> io::Result<(u64, u64)> {
    let metadata = fs::metadata(path)?;
    Ok((metadata.dev(), metadata.ino()))
}
