//! The catalog's files in an export.

use std::fs;

use appstitch_catalog_files::{Index, verify_folder};
use serde_json::{Value, json};

use crate::{
    exported::Exported,
    nginx::Nginx,
    service::support::{TestServer, app, ndjson},
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
    let entries = exported.entries();
    let listed = entries.iter().filter(|entry| entry.route == "/catalog/{revision}/{file}");
    let expected: usize = indexes[2..].iter().map(|index| index.files().count()).sum();
    assert_eq!(listed.count(), expected);
}
