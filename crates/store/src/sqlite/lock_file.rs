//! The locks of duties, as files beside the store.

use std::{
    ffi::OsString,
    fs::{self, File, Metadata, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    process,
    time::SystemTime,
};

use futures_util::future::{self, BoxFuture};

use super::file::identity;
use crate::{
    duty::{Duty, EngineLock, LEASE},
    error::StoreError,
};

/// A locked file. Locks of SQLite are not held for long, and times in a table would delay the next
/// process after a crash. The system gives the lock back when the process ends, however it ends.
///
/// The time of the file is when its holder last worked. The lock cannot be taken from a holder that
/// hangs, so another process replaces the file.
#[derive(Debug)]
pub(super) struct LockFile {
    file: File,
    path: PathBuf,
}

impl LockFile {
    /// Takes the lock of a duty; `None` if another process has it.
    pub(super) fn take(store: &Path, duty: Duty) -> Result<Option<Self>, StoreError> {
        // Links and relative paths to one store have to lead to one lock.
        let store = store.canonicalize().map_err(|error| StoreError::Gone(error.to_string()))?;
        let mut path = OsString::from(store);
        path.push(match duty {
            Duty::Hooks => "-hooks",
            Duty::Refresh => "-refresh",
        });
        let path = PathBuf::from(path);
        Self::take_at(&path)
            .map_err(|error| StoreError::Create { path: path.display().to_string(), error })
    }

    fn take_at(path: &Path) -> io::Result<Option<Self>> {
        let file = OpenOptions::new().create(true).write(true).truncate(false).open(path)?;
        let taken = match file.try_lock() {
            Ok(()) => Self { file, path: path.to_owned() },
            Err(TryLockError::WouldBlock) if is_stale(&file.metadata()?) => {
                match Self::replace(path, &file)? {
                    Some(taken) => taken,
                    None => return Ok(None),
                }
            }
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        };
        // Another process may have replaced the file meanwhile.
        Ok(taken.touch().then_some(taken))
    }

    /// Replaces the file of a holder that hangs with a locked one; `None` if another process was faster.
    fn replace(path: &Path, stale: &File) -> io::Result<Option<Self>> {
        let mut partial = OsString::from(path);
        partial.push(format!("-{}", process::id()));
        let partial = PathBuf::from(partial);
        let file = File::create_new(&partial)?;
        file.lock()?;
        let is_same = fs::metadata(path).is_ok_and(|found| {
            stale.metadata().is_ok_and(|stale| identity(&found) == identity(&stale))
        });
        if !is_same {
            fs::remove_file(&partial)?;
            return Ok(None);
        }
        fs::rename(&partial, path)?;
        tracing::warn!(file = %path.display(), "took a lock from a process that hangs");
        Ok(Some(Self { file, path: path.to_owned() }))
    }

    /// Shows that the holder works. Returns whether the lock is still held.
    fn touch(&self) -> bool {
        self.file.set_modified(SystemTime::now()).is_ok() && self.is_held()
    }
}

impl EngineLock for LockFile {
    fn beat(&self) -> BoxFuture<'_, bool> {
        Box::pin(future::ready(self.touch()))
    }

    /// Whether no other process has replaced this file.
    fn is_held(&self) -> bool {
        let (Ok(locked), Ok(found)) = (self.file.metadata(), fs::metadata(&self.path)) else {
            return false;
        };
        identity(&locked) == identity(&found)
    }
}

/// Whether the holder of a file has not worked for longer than its lease.
fn is_stale(metadata: &Metadata) -> bool {
    let age = metadata.modified().ok().and_then(|time| time.elapsed().ok());
    age.is_some_and(|age| age > LEASE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_holder_that_hangs_loses_its_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("catalog.db-hooks");
        let first = LockFile::take_at(&path).unwrap().unwrap();
        assert!(LockFile::take_at(&path).unwrap().is_none());
        first.file.set_modified(SystemTime::now() - 2 * LEASE).unwrap();
        let second = LockFile::take_at(&path).unwrap().unwrap();
        assert!(second.is_held() && !first.is_held() && !first.touch());
        assert!(LockFile::take_at(&path).unwrap().is_none());
        drop(first);
        assert!(second.touch(), "the old holder's end changes nothing");
        drop(second);
        assert!(LockFile::take_at(&path).unwrap().is_some());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
    }
}
