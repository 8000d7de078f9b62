//! The folder of an export: whose it is, who works in it, and which release is served.
//!
//! A release is written under a name that is not served. When it is complete and on the disk, it gets
//! its name, and a link is replaced, which is atomic. A crash at any point leaves the old release or the
//! new one. The release before is kept for readers that are in the middle of it.

use std::{
    ffi::OsStr,
    fs::{self, File, TryLockError},
    io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use crate::error::ExportError;

/// Marks a folder as ours, and is locked by the export that works in it.
const LOCK: &str = ".appstitch-export";
const CURRENT: &str = "current";
const NEXT_CURRENT: &str = "current.next";
const RELEASES: &str = "releases";
/// The end of the name of a release that is not complete.
const PARTIAL: &str = ".partial";

/// A folder that this process works in. Dropping it lets others in.
pub(crate) struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Opens the folder of an export; a missing one is created.
    pub(crate) fn open(path: &Path) -> Result<Self, ExportError> {
        fs::create_dir_all(path).map_err(ExportError::at(path))?;
        // Links are relative to it, and a message with the whole path is easier to follow.
        let path = fs::canonicalize(path).map_err(ExportError::at(path))?;
        let marker = path.join(LOCK);
        let mut entries = fs::read_dir(&path).map_err(ExportError::at(&path))?;
        if !marker.exists() && entries.next().is_some() && !marker.exists() {
            return Err(ExportError::NotOurs(path));
        }
        let lock = fs::OpenOptions::new().create(true).truncate(false).write(true).open(&marker);
        let lock = lock.map_err(ExportError::at(&marker))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ExportError::Busy(path)),
            Err(TryLockError::Error(error)) => return Err(ExportError::at(&marker)(error)),
        }
        let folder = Self { path, _lock: lock };
        let releases = folder.releases();
        fs::create_dir_all(&releases).map_err(ExportError::at(&releases))?;
        Ok(folder)
    }

    fn releases(&self) -> PathBuf {
        self.path.join(RELEASES)
    }

    pub(crate) fn current(&self) -> Option<PathBuf> {
        let release = fs::read_link(self.path.join(CURRENT)).ok()?;
        let release = self.releases().join(release.file_name()?);
        release.is_dir().then_some(release)
    }

    /// Starts a release. What a crash left behind is removed.
    pub(crate) fn start(&self) -> Result<PathBuf, ExportError> {
        self.remove_releases(|name| name.ends_with(PARTIAL))?;
        let partial = self.releases().join(format!("next{PARTIAL}"));
        fs::create_dir(&partial).map_err(ExportError::at(&partial))?;
        Ok(partial)
    }

    /// Serves a complete release under a name, and removes all but it and the one before.
    pub(crate) fn switch(&self, partial: &Path, name: &str) -> Result<(), ExportError> {
        let releases = self.releases();
        sync_all(partial).map_err(ExportError::at(partial))?;
        let before = self.current();
        let name = self.free_name(name);
        let release = releases.join(&name);
        fs::rename(partial, &release).map_err(ExportError::at(&release))?;
        sync_folder(&releases)?;
        let next = self.path.join(NEXT_CURRENT);
        match fs::remove_file(&next) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(ExportError::at(&next)(error));
            }
            _ => {}
        }
        symlink(Path::new(RELEASES).join(&name), &next).map_err(ExportError::at(&next))?;
        let current = self.path.join(CURRENT);
        fs::rename(&next, &current).map_err(ExportError::at(&current))?;
        sync_folder(&self.path)?;
        let before = before.as_deref().and_then(Path::file_name).and_then(OsStr::to_str);
        self.remove_releases(|release| release != name && Some(release) != before)
    }

    /// A name that no release has. The same revision is exported again after the program changed.
    fn free_name(&self, name: &str) -> String {
        let numbered = (1_u64..).map(|number| format!("{name}.{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let is_free = |name: &String| !self.releases().join(name).exists();
        names.find(is_free).unwrap_or_else(|| name.to_owned())
    }

    fn remove_releases(&self, is_removed: impl Fn(&str) -> bool) -> Result<(), ExportError> {
        let releases = self.releases();
        for entry in fs::read_dir(&releases).map_err(ExportError::at(&releases))? {
            let path = entry.map_err(ExportError::at(&releases))?.path();
            let name = path.file_name().and_then(OsStr::to_str);
            if name.is_none_or(&is_removed) {
                fs::remove_dir_all(&path).map_err(ExportError::at(&path))?;
            }
        }
        Ok(())
    }
}

fn sync_folder(folder: &Path) -> Result<(), ExportError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(ExportError::at(folder))
}

/// Waits until everything in a folder is on the disk. One call for the whole file system is much faster
/// than one for each of a hundred thousand files.
#[cfg(target_os = "linux")]
fn sync_all(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(folder)?)?)
}

#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
fn sync_all(_: &Path) -> io::Result<()> {
    rustix::fs::sync();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder.join(RELEASES)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_release_before_is_kept_and_older_ones_are_removed() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = Folder::open(&temporary.path().join("new/folder")).unwrap();
        assert_eq!(folder.current(), None);
        for name in ["a", "b", "b", "c"] {
            let partial = folder.start().unwrap();
            fs::write(partial.join("name"), name).unwrap();
            folder.switch(&partial, name).unwrap();
            let served = fs::read_to_string(folder.path.join("current/name")).unwrap();
            assert_eq!(served, name);
        }
        assert_eq!(names(&folder.path), ["b.1", "c"]);
        assert_eq!(folder.current(), Some(folder.releases().join("c")));
    }

    #[test]
    fn what_a_crash_left_behind_is_removed() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = Folder::open(temporary.path()).unwrap();
        let partial = folder.start().unwrap();
        fs::write(partial.join("half"), "").unwrap();
        symlink("nowhere", folder.path.join(NEXT_CURRENT)).unwrap();
        let again = folder.start().unwrap();
        assert_eq!(fs::read_dir(&again).unwrap().count(), 0);
        folder.switch(&again, "a").unwrap();
        assert_eq!(names(&folder.path), ["a"]);
    }

    #[test]
    fn a_folder_of_somebody_else_or_of_another_process_is_not_touched() {
        let temporary = tempfile::tempdir().unwrap();
        fs::write(temporary.path().join("thesis.txt"), "").unwrap();
        assert!(matches!(Folder::open(temporary.path()), Err(ExportError::NotOurs(_))));
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 1);
        let path = temporary.path().join("own");
        let first = Folder::open(&path).unwrap();
        assert!(matches!(Folder::open(&path), Err(ExportError::Busy(_))));
        drop(first);
        assert!(Folder::open(&path).is_ok());
    }
}
