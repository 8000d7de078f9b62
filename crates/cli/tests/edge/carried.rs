//! The catalog's files in an export.

use std::fs;

use appstitch_catalog_files::{Index, verify_folder};
use serde_json::{Value, json};

use crate::{
    exported::Exported,
    nginx::Nginx,
    service::support::{TestServer, app, ndjson, run_ok},
};

fn records(version: usize) -> Vec<Value> {
    let mut records: Vec<Value> = (0..20)
        .map(|number| json!({"app": app(&format!("app-{number}")), "sources": null}))
        .collect();
    records[0]["app"]["current_version"] = json!(version.to_string());
    records
}

#[tokio::test]
async fn readers_of_an_older_index_find_its_files_in_thirty_exports() {
    let live = TestServer::empty();
    let exported = Exported::of_file(&live.store());
    let mut indexes: Vec<Index> = Vec::new();
    for version in 0..32 {
        assert_eq!(live.upload(&ndjson(&records(version))).await.status, 200);
        exported.run().await;
        let folder = exported.current().join("catalog");
        indexes.push(verify_folder(&folder, &[]).unwrap().index);
    }
    let current = exported.current();
    let revisions = fs::read_dir(current.join("catalog")).unwrap();
    let revisions = revisions.filter(|entry| entry.as_ref().unwrap().path().is_dir()).count();
    assert_eq!(revisions, 30);
    let edge = Nginx::start(&exported.path());
    for (number, index) in indexes.iter().enumerate() {
        let response = edge.get(&format!("/catalog/{}", index.snapshot.path)).await;
        let expected = if number < 2 { 404 } else { 200 };
        assert_eq!(response.status, expected, "revision {number}");
        if expected == 200 {
            assert_eq!(response.body.len() as u64, index.snapshot.size);
            assert_eq!(response.header("cache-control"), "public, max-age=31536000, immutable");
            assert_eq!(response.header("content-type"), "application/zstd");
        }
    }
    // Whoever has an older catalog can update it from a plain web server.
    let copies = tempfile::tempdir().unwrap();
    let copy = copies.path().join("copy.db");
    let store = format!("sqlite:{}", copy.display());
    let origin = edge.address("/catalog/");
    let fetch = ["catalog", "fetch", &origin, "--unsigned", "--allow-private", "--store", &store];
    assert!(run_ok(&fetch).starts_with("received revision"));
    assert!(run_ok(&fetch).starts_with("kept revision"));
    let mirror = TestServer::on_store(&copy);
    for read in ["/apps", "/apps/app-0/details", "/changes", "/catalog/index.json"] {
        assert_eq!(mirror.get(read).await.body, live.get(read).await.body, "{read}");
    }

    let entries = exported.entries();
    let listed = entries.iter().filter(|entry| entry.route == "/catalog/{revision}/{file}");
    let expected: usize = indexes[2..].iter().map(|index| index.files().count()).sum();
    assert_eq!(listed.count(), expected);
}
