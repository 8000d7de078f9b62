//! Writes a file atomically.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use tempfile::{Builder, NamedTempFile};

use crate::folder;

/// As for any new file, the umask applies.
const USUAL_MODE: u32 = 0o666;

/// What the names of unfinished files begin with.
pub(crate) const PREFIX: &str = ".appstitch-";

pub(crate) fn write(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = NewFile::create(file, USUAL_MODE)?;
    new.file().write_all(bytes)?;
    new.finish()
}

/// A file that is written so that a full disk or a crash never leaves half of it: first to a temporary
/// file in the same folder, which then replaces it. Keeps the permissions of an existing file, follows
/// links, and writes directly to anything that is not a regular file.
pub(crate) enum NewFile {
    Partial { partial: NamedTempFile, target: PathBuf },
    Other(File),
}

impl NewFile {
    /// Begins a file. The mode is that of a file that did not exist.
    pub(crate) fn create(file: &Path, mode: u32) -> io::Result<Self> {
        let target = match fs::canonicalize(file) {
            Err(_) => file.to_owned(),
            Ok(target) if target.is_file() => target,
            Ok(other) => {
                return Ok(Self::Other(fs::OpenOptions::new().write(true).open(other)?));
            }
        };
        let mut builder = Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        let named = |error: io::Error| match folder::problem(folder::of(&target)) {
            Some(why) => io::Error::new(error.kind(), why),
            None => error,
        };
        clean_up(folder::of(&target));
        let partial = loop {
            let partial = builder.prefix(PREFIX).tempfile_in(folder::of(&target)).map_err(named)?;
            // Somebody who cleans up may be faster than the lock.
            if partial.as_file().try_lock().is_ok() && partial.path().exists() {
                break partial;
            }
        };
        if let Ok(metadata) = fs::metadata(&target) {
            partial.as_file().set_permissions(metadata.permissions())?;
        }
        Ok(Self::Partial { partial, target })
    }

    pub(crate) fn file(&self) -> &File {
        match self {
            Self::Partial { partial, .. } => partial.as_file(),
            Self::Other(file) => file,
        }
    }

    /// Whether it can be read again.
    pub(crate) const fn is_regular(&self) -> bool {
        matches!(self, Self::Partial { .. })
    }

    /// Gives the file its name. Without this, nothing is left of it.
    pub(crate) fn finish(self) -> io::Result<()> {
        let Self::Partial { partial, target } = self else { return Ok(()) };
        partial.as_file().sync_all()?;
        partial.persist(&target)?;
        // The rename must survive a power failure as well.
        File::open(folder::of(&target))?.sync_all()
    }
}

/// Removes what killed processes left in a folder: the lock of its file is free.
fn clean_up(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes())
            && entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_ours && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            // If this is not permitted, the file stays.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(file: &Path) -> u32 {
        fs::metadata(file).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_link_is_followed_and_permissions_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        write(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(mode(&file), 0o640);
    }

    #[test]
    fn a_new_file_has_the_usual_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let (file, usual) = (folder.path().join("file"), folder.path().join("usual"));
        write(&file, b"new").unwrap();
        fs::write(&usual, "new").unwrap();
        assert_eq!(mode(&file), mode(&usual));
    }

    #[test]
    fn no_other_file_is_touched() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other) = (folder.path().join("file"), folder.path().join("file.partial"));
        fs::write(&other, "of somebody else").unwrap();
        write(&file, b"new").unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "of somebody else");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        write(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!Path::new("/dev/null").is_file());
        assert!(write(Path::new("/dev/full"), b"no room").is_err());
        assert!(!Path::new("/dev/full").is_file());
    }

    #[test]
    fn what_a_killed_process_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let (left, at_work) =
            (folder.path().join(".appstitch-left"), folder.path().join(".appstitch-work"));
        fs::write(&left, "half").unwrap();
        let lock = File::create(&at_work).unwrap();
        lock.lock().unwrap();
        write(&folder.path().join("file"), b"new").unwrap();
        assert!(!left.exists() && at_work.exists());
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("missing").join("file");
        assert!(write(&file, b"x").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
