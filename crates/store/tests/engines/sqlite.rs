//! What only files can be: of another program, of a newer version, deleted or replaced.

use std::path::Path;

use appstitch_store::{Change, Store, StoreAddress, StoreError};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::{catalog::first_change, label_runs::label_run};

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn address(folder: &Path) -> StoreAddress {
    StoreAddress::Sqlite(folder.join("catalog.db"))
}

async fn open(folder: &Path) -> Store {
    Store::open(&address(folder)).await.unwrap()
}

#[tokio::test]
async fn a_store_of_a_newer_schema_is_rejected_and_left_alone() {
    let folder = folder();
    let file = folder.path().join("catalog.db");
    drop(Store::open(&address(folder.path())).await.unwrap());
    let connection = Connection::open(&file).unwrap();
    connection
        .execute(
            "INSERT INTO refinery_schema_history (version, name, applied_on, checksum)
             VALUES (999, 'future', '2030-01-01T00:00:00Z', '0')",
            [],
        )
        .unwrap();
    drop(connection);
    let before = std::fs::read(&file).unwrap();

    let error = Store::open(&address(folder.path())).await.unwrap_err();
    assert!(matches!(error, StoreError::TooNew { found: 999, .. }), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[tokio::test]
async fn a_process_that_is_older_than_the_schema_writes_nothing_more() {
    let folder = folder();
    let store = open(folder.path()).await;
    let edition = store.commit(first_change()).await.unwrap();
    let future = "INSERT INTO refinery_schema_history (version, name, applied_on, checksum)
         VALUES (999, 'future', '2030-01-01T00:00:00Z', '0')";
    let connection = Connection::open(folder.path().join("catalog.db")).unwrap();
    connection.execute(future, []).unwrap();
    let change = Change { base_edition: edition.clone(), ..first_change() };
    let error = store.commit(change).await.unwrap_err();
    assert!(matches!(error, StoreError::TooNew { found: 999, .. }), "{error}");
    assert_eq!(store.edition().await.unwrap(), edition);
    assert_eq!(store.load().await.unwrap().documents.len(), 2, "it still reads");
}

#[tokio::test]
async fn a_file_that_is_no_store_is_an_error() {
    let folder = folder();
    std::fs::write(
        folder.path().join("catalog.db"),
        "not a database, but long enough to be read as one",
    )
    .unwrap();
    assert!(Store::open(&address(folder.path())).await.is_err());
    let nowhere = StoreAddress::Sqlite(folder.path().join("missing/catalog.db"));
    assert!(Store::open(&nowhere).await.is_err());
}

#[tokio::test]
async fn a_database_of_something_else_is_rejected_and_left_alone() {
    let folder = folder();
    let file = folder.path().join("catalog.db");
    Connection::open(&file).unwrap().execute_batch("CREATE TABLE notes (text TEXT)").unwrap();
    let before = std::fs::read(&file).unwrap();
    let error = Store::open(&address(folder.path())).await.unwrap_err();
    assert!(matches!(error, StoreError::Foreign(_)), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[tokio::test]
async fn a_write_to_a_deleted_or_replaced_file_is_rejected() {
    let folder = folder();
    let file = folder.path().join("catalog.db");
    let store = Store::open(&address(folder.path())).await.unwrap();
    std::fs::rename(&file, folder.path().join("away.db")).unwrap();
    let error = store.commit(first_change()).await.unwrap_err();
    assert!(matches!(error, StoreError::Gone(_)), "{error}");
    std::fs::write(&file, "another").unwrap();
    let error = store.commit(first_change()).await.unwrap_err();
    assert!(matches!(error, StoreError::Gone(_)), "{error}");
}

#[tokio::test]
async fn an_older_store_without_these_tables_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()).await);
    let connection = Connection::open(folder.path().join("catalog.db")).unwrap();
    connection
        .execute_batch(
            "DROP TABLE answer; DROP TABLE label_run;
             DROP TABLE journal; DROP TABLE change; DROP TABLE drift_event;
             DROP TABLE hook_delivery; DROP TABLE hook;
             DROP TABLE written; DROP TABLE lost_edition; DROP TABLE refresh_state;
             DROP TABLE source_refresh; DROP TABLE refresh_memory; DROP TABLE patch_title;
             ALTER TABLE revision DROP COLUMN newest_change;
             DELETE FROM refinery_schema_history WHERE version >= 6",
        )
        .unwrap();
    drop(connection);
    let store = Store::open_to_read(&address(folder.path())).await.unwrap();
    assert_eq!(store.label_runs().await.unwrap(), []);
    assert_eq!(store.response("a".to_owned()).await.unwrap(), None);
    assert_eq!(store.source_refreshes().await.unwrap(), []);
    assert_eq!(store.refresh_memory("a".to_owned()).await.unwrap(), None);
    // Opened for writing, it gets them.
    let store = open(folder.path()).await;
    store.put_label_runs(vec![label_run("a.sh", "2026-03-05T06:07:08Z", None)]).await.unwrap();
    assert_eq!(store.label_runs().await.unwrap().len(), 1);
}

#[tokio::test]
async fn nothing_is_written_to_a_file_that_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    std::fs::remove_file(folder.path().join("catalog.db")).unwrap();
    let put = store.put_label_runs(Vec::new()).await;
    assert!(matches!(put, Err(StoreError::Gone(_))), "{put:?}");
}
