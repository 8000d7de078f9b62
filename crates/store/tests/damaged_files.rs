//! Files that are not whole stores: each is an error that says what to do, and nothing is changed.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use appstitch_store::{Store, StoreAddress, StoreError};
use rusqlite::Connection;
use tempfile::TempDir;

fn address(path: &Path) -> StoreAddress {
    StoreAddress::Sqlite(path.to_owned())
}

/// The errors of opening a file for writing and for reading.
async fn errors(path: &Path) -> [StoreError; 2] {
    [Store::open(&address(path)).await, Store::open_to_read(&address(path)).await]
        .map(|opened| opened.err().unwrap_or_else(|| panic!("{} was opened", path.display())))
}

/// A folder with a whole store in one file.
async fn store() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("catalog.db");
    drop(Store::open(&address(&path)).await.unwrap());
    // The last connection that is closed removes the write-ahead log.
    drop(Connection::open(&path).unwrap());
    (folder, path)
}

#[tokio::test]
async fn a_store_is_created_only_if_there_is_no_file() {
    let (folder, path) = store().await;
    assert!(path.is_file());
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(Result::unwrap).collect();
    assert!(names.iter().all(|name| !name.file_name().to_string_lossy().contains("new")));
    for bytes in [
        &b""[..],
        b"not a database, but longer than the header of one: 0123456789 0123456789 0123456789",
    ] {
        fs::write(&path, bytes).unwrap();
        for error in errors(&path).await {
            assert!(matches!(error, StoreError::Empty | StoreError::Damaged(_)), "{error}");
            assert!(error.to_string().contains("delete it"), "{error}");
        }
        assert_eq!(fs::read(&path).unwrap(), bytes, "the file stays as it is");
    }
}

#[tokio::test]
async fn a_database_without_tables_is_no_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("catalog.db");
    // No tables at all, and no migration.
    for statement in [
        "PRAGMA user_version = 1",
        "CREATE TABLE refinery_schema_history (version int4, name text, applied_on text, checksum text)",
    ] {
        Connection::open(&path).unwrap().execute_batch(statement).unwrap();
        let before = fs::read(&path).unwrap();
        assert!(!before.is_empty());
        for error in errors(&path).await {
            assert!(matches!(error, StoreError::Empty), "{error}");
        }
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

#[tokio::test]
async fn a_truncated_file_is_damaged() {
    let (_folder, path) = store().await;
    let whole = fs::read(&path).unwrap();
    for length in [1, 50, 100, 4096, whole.len() - 4096, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        for error in errors(&path).await {
            let is_told = match error {
                StoreError::Empty | StoreError::Damaged(_) => true,
                StoreError::Truncated { found, expected } => {
                    (found, expected) == (length as u64, whole.len() as u64)
                }
                _ => false,
            };
            assert!(is_told, "{length} bytes: {error}");
            assert!(error.to_string().contains("restore it"), "{error}");
        }
        assert_eq!(fs::read(&path).unwrap(), &whole[..length]);
    }
}

#[tokio::test]
async fn a_log_without_its_file_is_kept() {
    let (_folder, path) = store().await;
    let log = path.with_file_name("catalog.db-wal");
    // Without a file, and with an empty one: SQLite would delete the log.
    for file in [None, Some("")] {
        let _ = fs::remove_file(&path);
        if let Some(text) = file {
            fs::write(&path, text).unwrap();
        }
        fs::write(&log, "the last changes").unwrap();
        for error in errors(&path).await {
            let expected = file.is_some();
            assert_eq!(matches!(error, StoreError::Empty), expected, "{error}");
            assert_eq!(matches!(error, StoreError::LogOnly(_)), !expected, "{error}");
        }
        assert_eq!(fs::read_to_string(&log).unwrap(), "the last changes");
    }
    fs::remove_file(&path).unwrap();
    fs::write(&log, "").unwrap();
    assert!(Store::open(&address(&path)).await.is_ok(), "an empty log holds nothing");
}
