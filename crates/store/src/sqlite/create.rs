//! Creates the file of a store in one step.
//!
//! A store without tables is an error, so that lost data is noticed. A crash while a store is created
//! must not leave such a file: it is prepared under another name and then gets its own.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU32, Ordering},
};

use rusqlite::{Connection, OpenFlags};

use crate::StoreError;

/// Creates a file and lets `prepare` write its tables. If another process is faster, its file stays.
pub(super) fn create(
    path: &Path,
    prepare: impl FnOnce(&mut Connection) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let target = target(path);
    let cannot = |error: io::Error| StoreError::Create { path: path.display().to_string(), error };
    let partial = create_partial(&target).map_err(cannot)?;
    let result = fill(&partial, prepare).and_then(|()| name(&partial, &target).map_err(cannot));
    // By now, the file has its own name, or it is useless. So is the journal of a failed change.
    let mut journal = partial.clone().into_os_string();
    journal.push("-journal");
    let _ = fs::remove_file(journal);
    let _ = fs::remove_file(&partial);
    result
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

/// Creates an empty file beside the target, under a name that nobody else uses. A crash may have left
/// a file of an earlier process with the same number.
fn create_partial(target: &Path) -> io::Result<PathBuf> {
    loop {
        let partial = partial_name(target);
        match fs::File::create_new(&partial) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created.map(|_| partial),
        }
    }
}

/// The next name beside the target.
pub(super) fn partial_name(target: &Path) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(format!(".new-{}-{number}", process::id()));
    folder(target).join(name)
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

/// Gives a file its name, unless there is one with this name.
fn name(partial: &Path, target: &Path) -> io::Result<()> {
    match fs::hard_link(partial, target) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(()),
        // Some file systems have no links.
        Err(_) if !target.try_exists()? => fs::rename(partial, target)?,
        other => other?,
    }
    // The name should survive a power failure, too. Not every system can make sure of it, and the
    // file is there in any case.
    let _ = fs::File::open(folder(target)).and_then(|folder| folder.sync_all());
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

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
        create(&path, with_table).unwrap();
        assert_eq!(files(folder.path()), ["a.db"]);
    }

    #[test]
    fn what_a_crash_left_is_not_in_the_way() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..100 {
            let name = format!(".a.db.new-{}-{number}", process::id());
            fs::write(folder.path().join(name), "").unwrap();
        }
        let path = folder.path().join("a.db");
        create(&path, with_table).unwrap();
        assert!(path.is_file());
    }

    #[test]
    fn a_file_of_another_process_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        create(&path, |connection| {
            fs::write(&path, "other").unwrap();
            with_table(connection)
        })
        .unwrap();
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
