//! A temporary folder, removed when dropped.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use crate::run::Failure;

/// Makes the folder names of a run unique.
static NUMBER: AtomicU32 = AtomicU32::new(0);

pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Creates an empty folder.
    pub(super) fn new() -> Result<Self, Failure> {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("appstitch-bench-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder)
            .map_err(|error| Failure(format!("{}: {error}", folder.display())))?;
        Ok(Self(folder))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file to the folder and returns its path.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, Failure> {
        let path = self.0.join(name);
        fs::write(&path, bytes).map_err(|error| Failure(format!("{}: {error}", path.display())))?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
