//! Which process delivers. Several servers can use one store, but each message is sent by one of them.

use std::{
    ffi::OsString,
    fs::{File, OpenOptions, TryLockError},
    path::Path,
};

use crate::StoreError;

/// The right to deliver, until it is dropped or the process ends.
#[derive(Debug)]
pub struct HookLock {
    _file: File,
}

/// Takes the lock of a file beside the store. Locks of SQLite are not held for long, and times in a
/// table would delay the deliveries after a crash.
pub(super) fn lock(store: &Path) -> Result<Option<HookLock>, StoreError> {
    // Links and relative paths to one store have to lead to one lock.
    let store = store.canonicalize().map_err(|error| StoreError::Gone(error.to_string()))?;
    let mut path = OsString::from(store);
    path.push("-hooks");
    let failed = |error| StoreError::Create { path: Path::new(&path).display().to_string(), error };
    let file =
        OpenOptions::new().create(true).write(true).truncate(false).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(HookLock { _file: file })),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}
