//! Which process does a duty. The processes that use a store of this engine are on one machine, so the
//! lock of a file tells it.

use std::{
    ffi::OsString,
    fs::{File, OpenOptions, TryLockError},
    path::Path,
};

use crate::{Duty, StoreError};

/// A locked file, until it is dropped or the process ends.
#[derive(Debug)]
pub(crate) struct DutyFile {
    _file: File,
}

/// Takes the lock of a file beside the store. Locks of SQLite are not held for long, and times in a
/// table would delay the work after a crash.
pub(super) fn lock(store: &Path, duty: Duty) -> Result<Option<DutyFile>, StoreError> {
    // Links and relative paths to one store have to lead to one lock.
    let store = store.canonicalize().map_err(|error| StoreError::Gone(error.to_string()))?;
    let mut path = OsString::from(store);
    path.push("-");
    path.push(duty.word());
    let failed = |error| StoreError::Create { path: Path::new(&path).display().to_string(), error };
    let file =
        OpenOptions::new().create(true).write(true).truncate(false).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(DutyFile { _file: file })),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}
