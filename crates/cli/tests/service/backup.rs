//! `appstitch backup` and `appstitch restore`, on both engines.

#[cfg(debug_assertions)]
mod crashes;
mod files;
mod going_on;
mod importing;
mod running;

use std::path::Path;

use appstitch_cluster::database;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{TestServer, record, run};

/// What is read from a server to compare it with another.
const PATHS: [&str; 11] = [
    "/apps?limit=1000", "/apps/one/sources", "/apps/one/provenance", "/apps/mine", "/apps/drift",
    "/apps/jamf-index", "/stats", "/sources", "/changes?since=0", "/feed.atom", "/search?q=one",
];

struct Scene(TempDir);

impl Scene {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn sqlite(&self, name: &str) -> String {
        format!("sqlite:{}", self.file(name))
    }

    fn new_stores(&self, name: &str) -> [String; 2] {
        [self.sqlite(name), database()]
    }
}

fn backup(store: &str, file: &str) -> String {
    let (code, stdout, stderr) = run(&["backup", file, "--store", store]);
    assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
    stderr
}

fn restore(store: &str, file: &str, more: &[&str]) -> (i32, String) {
    let arguments = [&["restore", file, "--store", store][..], more].concat();
    let (code, stdout, stderr) = run(&arguments);
    assert_eq!(stdout, "");
    (code, stderr)
}

fn restored(store: &str, file: &str, more: &[&str]) -> String {
    let (code, stderr) = restore(store, file, more);
    assert_eq!(code, 0, "{stderr}");
    stderr
}

fn casks(versions: &[(&str, &str)]) -> String {
    let entries = versions.iter().map(|(token, version)| {
        json!({"token": token, "name": [token.to_uppercase()], "version": version,
               "artifacts": [{"app": [format!("{token}.app")]}]})
    });
    entries.collect::<Value>().to_string()
}

async fn put_casks(server: &TestServer, versions: &[(&str, &str)]) -> Value {
    let path = "/admin/sources/cask_catalog?allow_shrink=true";
    let response = server.put(path, casks(versions)).await;
    assert_eq!(response.status, 200, "{response:?}");
    response.json()
}

/// Publishes casks, a manual record, and other versions of the casks.
async fn fill(server: &TestServer) {
    put_casks(server, &[("one", "1.0"), ("two", "1.0"), ("three", "1.0")]).await;
    assert_eq!(server.put_record(&record("mine")).await.status, 200);
    put_casks(server, &[("one", "1.1"), ("two", "1.0")]).await;
}

/// The bodies and entity tags of some paths.
async fn served(server: &TestServer) -> Vec<(String, String, String)> {
    let mut responses = Vec::new();
    for path in PATHS {
        let response = server.get(path).await;
        assert_eq!(response.status, 200, "{path}: {response:?}");
        let body = response.text().replace(&server.base, "");
        responses.push((path.to_owned(), response.header("etag").to_owned(), body));
    }
    responses
}
