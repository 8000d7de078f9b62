//! A file that is no store is an error. Only a missing one is replaced by the sample.

use std::{path::Path, process::Output};

use crate::support::{Program, TestServer, ndjson, record};

/// Starts the server on a file that it must reject, and returns its message.
fn rejected(store: &Path) -> String {
    let mut command = Program::command();
    command.args(["serve", "--listen", "127.0.0.1:0", "--store"]);
    command.arg(format!("sqlite:{}", store.display()));
    let Output { status, stdout, stderr } = command.output().unwrap();
    let stderr = String::from_utf8(stderr).unwrap();
    assert_eq!((status.code(), stdout), (Some(3), Vec::new()), "{stderr}");
    assert!(stderr.starts_with("error: cannot open sqlite:"), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    stderr
}

#[test]
fn an_empty_file_is_no_sample() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    std::fs::write(&store, "").unwrap();
    assert!(rejected(&store).contains("is empty; restore it from a copy, or delete it"));
    assert_eq!(std::fs::metadata(&store).unwrap().len(), 0);
    std::fs::remove_file(&store).unwrap();
    drop(TestServer::on_store(&store));
    assert!(store.is_file(), "a missing file is created");
}

#[tokio::test]
async fn a_truncated_store_is_reported_and_can_be_restored() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let mut server = TestServer::on_store(&store);
    assert_eq!(server.upload(&ndjson(&[record("kept")])).await.status, 200);
    server.signal("-TERM");
    assert!(server.wait().success());
    let whole = std::fs::read(&store).unwrap();
    std::fs::write(&store, &whole[..whole.len() / 2]).unwrap();
    assert!(rejected(&store).contains("damaged"));
    std::fs::write(&store, "").unwrap();
    rejected(&store);
    std::fs::write(&store, &whole).unwrap();
    assert_eq!(TestServer::on_store(&store).get("/apps").await.slugs(), ["kept"]);
}

#[tokio::test]
async fn a_store_that_is_deleted_is_not_replaced_while_its_log_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let mut server = TestServer::on_store(&store);
    assert_eq!(server.upload(&ndjson(&[record("kept")])).await.status, 200);
    let file = folder.path().join("moved.db");
    std::fs::rename(&store, &file).unwrap();
    let response = server.upload(&ndjson(&[record("kept"), record("lost")])).await;
    assert_eq!(response.status, 503, "{response:?}");
    assert_eq!(server.get("/apps").await.slugs(), ["kept"]);
    server.kill();
    // The last change is only in the log.
    let log = folder.path().join("catalog.db-wal");
    assert!(std::fs::metadata(&log).unwrap().len() > 0);
    assert!(rejected(&store).contains("write-ahead log"));
    std::fs::rename(&file, &store).unwrap();
    assert_eq!(TestServer::on_store(&store).get("/apps").await.slugs(), ["kept"]);
}
