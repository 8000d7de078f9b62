//! Creates the file of a store in one step.
//!
//! A store without tables is an error, so that lost data is noticed. A crash while a store is created
//! must not leave such a file: it is prepared in a folder beside it and then moved. What a
//! killed process left is removed by the next one: the lock of its folder is free.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU32, Ordering},
};

use rusqlite::{Connection, OpenFlags};

use crate::error::StoreError;

/// Only the owner reads a store: it has the secrets of webhooks. SQLite gives the files beside it the
/// same mode.
const MODE: u32 = 0o600;

/// The file in a folder that shows that a process works there.
const LOCK: &str = "lock";

/// Creates a file and lets `prepare` write its tables. If another process is faster, its file stays.
/// Returns whether the file is the new one.
pub(super) fn create(
    path: &Path,
    prepare: impl FnOnce(&mut Connection) -> Result<(), StoreError>,
) -> Result<bool, StoreError> {
    let target = target(path);
    let cannot = |error: io::Error| StoreError::Create { path: path.display().to_string(), error };
    let work_folder = WorkFolder::new(&target).map_err(cannot)?;
    let partial = work_folder.create_file().map_err(cannot)?;
    fill(&partial, prepare)?;
    name(&partial, &target).map_err(cannot)
}

/// Removes what killed processes left beside a store.
pub(super) fn clean_up(path: &Path) {
    let target = target(path);
    let Ok(entries) = fs::read_dir(folder(&target)) else { return };
    let prefix = prefix(&target);
    for entry in entries.flatten() {
        let is_ours = entry.file_name().as_encoded_bytes().starts_with(prefix.as_encoded_bytes());
        if is_ours && is_abandoned(&entry.path()) {
            // If this is not permitted, the files stay.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether no process works in a folder.
fn is_abandoned(folder: &Path) -> bool {
    match OpenOptions::new().write(true).open(folder.join(LOCK)) {
        Ok(lock) => lock.try_lock().is_ok(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// A folder beside the target in which one process works. It is removed at the end.
struct WorkFolder {
    folder: PathBuf,
    _lock: File,
}

impl WorkFolder {
    fn new(target: &Path) -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let mut name = prefix(target);
            name.push(format!("{}-{number}", process::id()));
            let folder = folder(target).join(name);
            match fs::create_dir(&folder) {
                // Another process can have the same number, on another machine or in a container.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                created => created?,
            }
            // Another process that cleans up may be faster than the lock.
            if let Ok(lock) = File::create_new(folder.join(LOCK))
                && lock.try_lock().is_ok()
                && folder.join(LOCK).exists()
            {
                return Ok(Self { folder, _lock: lock });
            }
        }
    }

    fn create_file(&self) -> io::Result<PathBuf> {
        let file = self.folder.join("store");
        OpenOptions::new().write(true).create_new(true).mode(MODE).open(&file)?;
        Ok(file)
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // By now, the file has been moved, or it is useless. So is the journal of a failed change.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// How the folders beside a target are called.
fn prefix(target: &Path) -> OsString {
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(".new-");
    name
}

/// Where a link leads, because a link without a file counts as missing.
fn target(path: &Path) -> PathBuf {
    match fs::read_link(path) {
        Ok(link) => folder(path).join(link),
        Err(_) => path.to_owned(),
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn fill(
    partial: &Path,
    prepare: impl FnOnce(&mut Connection) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(partial, flags)?;
    prepare(&mut connection)?;
    connection.close().map_err(|(_, error)| error)?;
    Ok(())
}

/// Gives a file its name, unless there is one with this name. Returns whether it has the name.
fn name(partial: &Path, target: &Path) -> io::Result<bool> {
    match fs::hard_link(partial, target) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
        // Some file systems have no links.
        Err(_) if !target.try_exists()? => fs::rename(partial, target)?,
        other => other?,
    }
    // The name should survive a power failure, too. Not every system can make sure of it, and the
    // file is there in any case.
    let _ = fs::File::open(folder(target)).and_then(|folder| folder.sync_all());
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn with_table(connection: &mut Connection) -> Result<(), StoreError> {
        Ok(connection.execute_batch("CREATE TABLE a (b)")?)
    }

    fn files(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_with_its_tables_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let failed = create(&path, |connection| {
            with_table(connection)?;
            assert!(!path.exists(), "not before it is complete");
            Err(StoreError::WorkerGone)
        });
        assert!(matches!(failed, Err(StoreError::WorkerGone)));
        assert!(files(folder.path()).is_empty());
        assert!(create(&path, with_table).unwrap());
        assert_eq!(files(folder.path()), ["a.db"]);
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, MODE);
    }

    #[test]
    fn what_a_crash_left_is_not_in_the_way_and_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..100 {
            let left = folder.path().join(format!(".a.db.new-{}-{number}", process::id()));
            fs::create_dir(&left).unwrap();
            fs::write(left.join("store"), "").unwrap();
            fs::write(left.join(LOCK), "").unwrap();
        }
        let path = folder.path().join("a.db");
        create(&path, with_table).unwrap();
        assert!(path.is_file());
        let at_work = WorkFolder::new(&path).unwrap();
        clean_up(&path);
        let name = at_work.folder.file_name().unwrap().to_str().unwrap();
        assert_eq!(files(folder.path()), [name, "a.db"], "whoever works there stays");
    }

    #[test]
    fn a_file_of_another_process_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let is_new = create(&path, |connection| {
            fs::write(&path, "other").unwrap();
            with_table(connection)
        })
        .unwrap();
        assert!(!is_new);
        assert_eq!(fs::read_to_string(&path).unwrap(), "other");
        assert_eq!(files(folder.path()), ["a.db"]);
    }

    #[test]
    fn a_link_leads_to_the_new_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        symlink("b.db", &path).unwrap();
        create(&path, with_table).unwrap();
        assert!(path.is_symlink() && folder.path().join("b.db").is_file());
        assert!(create(&folder.path().join("none/a.db"), with_table).is_err());
    }
}
