//! Whether files can be created in a folder. The errors of the system name a file, or none.

use std::{
    io::ErrorKind,
    path::{self, Path},
};

/// Why no file can be created in a folder; `None` if one can, or if it is not because of the folder.
pub(crate) fn problem(folder: &Path) -> Option<String> {
    let folder = path::absolute(folder).ok()?;
    let error = tempfile::tempfile_in(&folder).err()?;
    if !folder.exists() {
        return Some(format!("the folder {} does not exist", folder.display()));
    }
    // What the kernel shows as files, such as /proc, says that a new one is not found.
    let refusals =
        [ErrorKind::PermissionDenied, ErrorKind::ReadOnlyFilesystem, ErrorKind::NotFound];
    refusals
        .contains(&error.kind())
        .then(|| format!("the folder {} is not writable", folder.display()))
}

/// The folder of a file; the current one for a name without a folder.
pub(crate) fn of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_files_is_named() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(problem(folder.path()), None);
        let missing = folder.path().join("missing");
        let says = format!("the folder {} does not exist", missing.display());
        assert_eq!(problem(&missing), Some(says));
        if cfg!(target_os = "linux") {
            assert_eq!(problem("/proc".as_ref()).unwrap(), "the folder /proc is not writable");
        }
        assert_eq!(of("a/b".as_ref()), Path::new("a"));
        assert_eq!(of("b".as_ref()), Path::new("."));
    }
}
