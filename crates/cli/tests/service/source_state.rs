//! `GET /sources`: what each source contributes, and when it was last received and changed.

use std::path::Path;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    Response, TestServer, Upstream, casks, eventually, record, run, write_config,
};

const ORDER: [&str; 5] =
    ["label_tool", "cask_catalog", "recipe_index", "store_listing", "mdm_installer"];

/// A time before any test, as the store has it.
const LONG_AGO: &str = "2026-03-05T06:07:08Z";

async fn state(server: &TestServer, source: &str) -> Value {
    let response = server.get("/sources").await.json();
    let sources = response["sources"].as_array().unwrap();
    sources.iter().find(|state| state["source"] == source).unwrap().clone()
}

async fn put(server: &TestServer, source: &str, file: impl Into<reqwest::Body>) -> Response {
    server.put(&format!("/admin/sources/{source}"), file).await
}

/// As if every source had been received and changed long ago, which a running server notices.
fn make_older(store: &Path) {
    let statements = format!(
        "UPDATE source_state SET received_at = '{LONG_AGO}', changed_at = '{LONG_AGO}';
         UPDATE edition SET number = number + 1"
    );
    rusqlite::Connection::open(store).unwrap().execute_batch(&statements).unwrap();
}

/// Waits until a server that follows its store shows a source as expected.
async fn wait_for(server: &TestServer, source: &str, is_expected: impl Fn(&Value) -> bool) {
    eventually("never as expected", async || is_expected(&state(server, source).await)).await;
}

#[tokio::test]
async fn all_sources_are_there_and_the_sample_was_never_received() {
    let server = TestServer::with_sample();
    let response = server.get("/sources").await;
    assert_eq!(response.header("content-type"), "application/json");
    assert_eq!((response.header("cache-control"), response.header("etag")), ("no-cache", ""));
    let body = response.json();
    assert_eq!(body.as_object().unwrap().len(), 1);
    let sources = body["sources"].as_array().unwrap();
    let names: Vec<&str> =
        sources.iter().map(|status| status["source"].as_str().unwrap()).collect();
    assert_eq!(names, ORDER);
    let coverage = &server.get("/stats").await.json()["sources"];
    for status in sources {
        assert_eq!(status.as_object().unwrap().len(), 6, "{status}");
        assert!(status["documents"].as_u64().unwrap() > 0, "{status}");
        assert!(status["apps"].as_u64().unwrap() > 0, "{status}");
        for unknown in ["received_at", "changed_at", "rejected"] {
            assert_eq!(status[unknown], Value::Null, "{status}");
        }
        let source = status["source"].as_str().unwrap();
        if let Some(apps) = coverage.get(source) {
            assert_eq!(&status["apps"], apps, "{source} as in the statistics");
        }
    }

    let slugs = server.get("/apps?limit=1000").await.slugs();
    let mut listed = 0;
    for slug in slugs {
        let payloads = server.get(&format!("/apps/{slug}/sources")).await.json();
        listed += u64::from(!payloads["store_listing"].is_null());
    }
    assert_eq!(state(&server, "store_listing").await["apps"], listed);
}

#[tokio::test]
async fn an_empty_server_has_them_too() {
    let server = TestServer::empty();
    for source in ORDER {
        let expected = json!({"source": source, "documents": 0, "apps": 0, "received_at": null,
            "changed_at": null, "rejected": null});
        assert_eq!(state(&server, source).await, expected);
    }
    assert_eq!(server.put_record(&record("a")).await.status, 200);
    assert_eq!(state(&server, "label_tool").await["received_at"], Value::Null);
}

#[tokio::test]
async fn the_same_file_again_is_received_and_moves_nothing_else() {
    let server = TestServer::with_sample();
    assert_eq!(put(&server, "cask_catalog", casks(&["a", "b"])).await.status, 200);
    let first = state(&server, "cask_catalog").await;
    assert_eq!(first["changed_at"], server.get("/stats").await.json()["last_refresh"]);
    assert_eq!(first["received_at"], first["changed_at"]);
    let time = first["received_at"].as_str().unwrap();
    assert!(time.len() == LONG_AGO.len() && time.ends_with('Z'), "whole seconds, UTC: {time}");
    assert_eq!((&first["documents"], &first["apps"]), (&json!(2), &json!(2)));
    assert_eq!(first["rejected"], 0);

    make_older(&server.store());
    let etag = server.etag().await;
    let again = put(&server, "cask_catalog", casks(&["a", "b"])).await.json();
    assert_eq!(again["changed"], false);
    let state = state(&server, "cask_catalog").await;
    assert!(state["received_at"].as_str().unwrap() > LONG_AGO, "{state}");
    assert_eq!(state["changed_at"], LONG_AGO);
    assert_eq!(server.etag().await, etag);
    let store = rusqlite::Connection::open(server.store()).unwrap();
    let count = |query: &str| store.query_row(query, [], |row| row.get::<_, i64>(0)).unwrap();
    let newest = "SELECT count(*) FROM revision WHERE token = ?1 AND number = (SELECT max(number) FROM revision)";
    let token = again["revision"].as_str().unwrap();
    assert_eq!(store.query_row(newest, [token], |row| row.get::<_, i64>(0)).unwrap(), 1);
    assert_eq!(count("SELECT count(*) FROM source_state"), 1);
}

#[tokio::test]
async fn rejected_entries_are_counted_and_a_bad_file_changes_nothing() {
    let server = TestServer::empty();
    let file = json!([{"token": "a", "name": ["A"]}, {"token": 7}, {"token": "a"}]).to_string();
    let summary = put(&server, "cask_catalog", file).await.json();
    assert_eq!(summary["rejected"], 2);
    let before = state(&server, "cask_catalog").await;
    assert_eq!((&before["documents"], &before["rejected"]), (&json!(1), &json!(2)));

    make_older(&server.store());
    for (body, status) in [("no json", 422), ("[]", 409)] {
        assert_eq!(put(&server, "cask_catalog", body).await.status, status);
    }
    let unauthorized = server.request(Method::PUT, "/admin/sources/cask_catalog").body("[]");
    assert_eq!(server.send(unauthorized).await.status, 401);
    wait_for(&server, "cask_catalog", |state| state["received_at"] == LONG_AGO).await;
    let after = state(&server, "cask_catalog").await;
    assert_eq!((&after["documents"], &after["rejected"]), (&json!(1), &json!(2)));
}

#[tokio::test]
async fn results_of_running_labels_are_no_entries() {
    let server = TestServer::with_sample();
    let names = server.send(server.admin(Method::GET, "/admin/labels/unresolved")).await.json();
    let line = json!({"label": names["labels"][0], "ok": true, "appNewVersion": "99.0"});
    let before = state(&server, "label_tool").await;
    let post = server.admin(Method::POST, "/admin/labels/resolved").body(line.to_string());
    assert_eq!(server.send(post).await.json()["accepted"], 1);
    assert_eq!(state(&server, "label_tool").await, before);
}

#[tokio::test]
async fn a_restart_and_a_second_server_tell_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let mut server = TestServer::on_store(&store);
    put(&server, "cask_catalog", casks(&["a", "b"])).await;
    let before = server.get("/sources").await.json();
    server.kill();

    let server = TestServer::on_store(&store);
    assert_eq!(server.get("/sources").await.json(), before, "a restart changes nothing");
    let second = TestServer::on_store(&store);
    make_older(&store);
    wait_for(&server, "cask_catalog", |state| state["received_at"] == LONG_AGO).await;
    wait_for(&second, "cask_catalog", |state| state["received_at"] == LONG_AGO).await;

    // Only the time moves: the second server sees it under the same token.
    let etag = second.etag().await;
    put(&server, "cask_catalog", casks(&["a", "b"])).await;
    wait_for(&second, "cask_catalog", |state| state["received_at"] != LONG_AGO).await;
    assert_eq!(state(&second, "cask_catalog").await["changed_at"], LONG_AGO);
    assert_eq!(second.etag().await, etag);
    assert_eq!(second.get("/sources").await.body, server.get("/sources").await.body);

    // What changes, too: and the second server can go on from there.
    put(&server, "cask_catalog", casks(&["a", "b", "c"])).await;
    wait_for(&second, "cask_catalog", |state| state["documents"] == 3).await;
    assert_eq!(second.etag().await, server.etag().await);
    put(&second, "cask_catalog", casks(&["a", "b", "c", "d"])).await;
    wait_for(&server, "cask_catalog", |state| state["apps"] == 4).await;
}

#[tokio::test]
async fn a_refresh_without_news_counts_as_received_and_a_failed_one_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let upstream = Upstream::start(casks(&["a", "b"]));
    let cask_file = |path: &str| vec![("cask_catalog", vec![format!("{}{path}", upstream.base)])];
    let config = write_config(folder.path(), &cask_file("/cask.json"));
    let address = format!("sqlite:{}", store.display());
    let refresh = ["refresh", "--store", &address, "--config", &config, "--allow-private"];
    assert_eq!(run(&refresh).0, 0);
    let server = TestServer::on_store(&store);
    let (etag, first) = (server.etag().await, state(&server, "cask_catalog").await);
    assert_eq!((&first["documents"], &first["rejected"]), (&json!(2), &json!(0)));

    make_older(&store);
    let (code, stdout, stderr) = run(&refresh);
    assert_eq!((code, upstream.full_responses()), (0, 1), "{stderr}");
    assert!(stdout.contains("2 apps") && stdout.contains("(unchanged)"), "{stdout}");
    let is_received = |state: &Value| {
        state["changed_at"] == LONG_AGO && state["received_at"].as_str().unwrap() > LONG_AGO
    };
    wait_for(&server, "cask_catalog", is_received).await;
    assert_eq!(state(&server, "cask_catalog").await["rejected"], 0);
    assert_eq!(server.etag().await, etag);

    make_older(&store);
    upstream.serve("", "");
    assert_eq!(run(&refresh).0, 1);
    upstream.serve("", casks(&["a"]));
    let (code, _, stderr) = run(&refresh);
    assert_eq!(code, 1, "half of the casks would be removed: {stderr}");
    let server = TestServer::on_store(&store);
    assert_eq!(state(&server, "cask_catalog").await["received_at"], LONG_AGO);
}
