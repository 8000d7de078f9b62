//! The locks of duties, as files beside the store.

use std::{
    ffi::OsString,
    fs::{OpenOptions, TryLockError},
    path::Path,
};

use crate::{Duty, DutyLock, StoreError};

/// Takes the lock of a file beside the store. Locks of SQLite are not held for long, and times in a
/// table would delay the next process after a crash. The system gives the lock back when the process
/// ends, however it ends.
pub(super) fn lock(store: &Path, duty: Duty) -> Result<Option<DutyLock>, StoreError> {
    // Links and relative paths to one store have to lead to one lock.
    let store = store.canonicalize().map_err(|error| StoreError::Gone(error.to_string()))?;
    let mut path = OsString::from(store);
    path.push(match duty {
        Duty::Hooks => "-hooks",
        Duty::Refresh => "-refresh",
    });
    let failed = |error| StoreError::Create { path: Path::new(&path).display().to_string(), error };
    let file =
        OpenOptions::new().create(true).write(true).truncate(false).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(DutyLock::of_file(file))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}
