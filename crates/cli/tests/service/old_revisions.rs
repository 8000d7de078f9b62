//! A revision that is no longer served is freed, with the bodies that were made from it.

#![cfg(target_os = "linux")]

use std::fs;

use serde_json::Value;

use crate::support::{TestServer, eventually, ndjson, record};

/// The number of unnamed files that a server has open: one per revision with large bodies.
fn body_files(server: &TestServer) -> usize {
    let folder = format!("/proc/{}/fd", server.process_id());
    let files = fs::read_dir(folder).unwrap().flatten();
    let names = files.filter_map(|file| fs::read_link(file.path()).ok());
    names.filter(|name| name.to_string_lossy().ends_with(" (deleted)")).count()
}

/// Waits until a server has this many body files.
async fn has_body_files(server: &TestServer, count: usize) {
    eventually(&format!("never {count} body files"), async || body_files(server) == count).await;
}

#[tokio::test]
async fn no_revision_outlives_its_last_reader() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let records = |count: usize| -> String {
        let records: Vec<Value> =
            (0..count).map(|number| record(&format!("app-{number}"))).collect();
        ndjson(&records)
    };
    let mut server = TestServer::on_store(&store);
    assert_eq!(server.upload(&records(400)).await.status, 200);
    server.kill();
    // The first revision of a process is the one that it opened its store with.
    let server = TestServer::on_store(&store);
    for count in [401, 402] {
        assert!(server.get("/apps?limit=1000").await.body.len() > 8 << 10);
        has_body_files(&server, 1).await;
        assert_eq!(server.upload(&records(count)).await.status, 200);
        has_body_files(&server, 0).await;
    }
}
