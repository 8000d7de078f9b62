//! What is written to the journal, and what is not.

use reqwest::Method;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::{expected, listed, versioned};
use crate::{
    sources::cask,
    support::{TestServer, label_and_cask},
};

fn stop(mut server: TestServer) {
    server.signal("-TERM");
    server.wait();
}

#[tokio::test]
async fn the_same_files_again_write_nothing() {
    let server = TestServer::empty();
    let casks = json!([cask("alpha", "1.0"), cask("beta", "2.0")]).to_string();
    let upload = || server.admin(Method::PUT, "/admin/sources/cask_catalog").body(casks.clone());
    assert_eq!(server.send(upload()).await.status, 200);
    let before = server.get("/changes").await.body;
    assert_eq!(listed(&server, "").await, expected(&[("added", "alpha"), ("added", "beta")]));
    assert_eq!(server.send(upload()).await.status, 200);
    assert_eq!(server.get("/changes").await.body, before);
}

#[tokio::test]
async fn a_new_token_of_a_cask_is_one_event() {
    let server = TestServer::empty();
    let upload = |casks: Value| {
        server
            .admin(Method::PUT, "/admin/sources/cask_catalog?allow_shrink=true")
            .body(casks.to_string())
    };
    let first = json!([cask("alpha", "1.0"), cask("other", "1.0")]);
    assert_eq!(server.send(upload(first)).await.status, 200);
    let since = server.etag().await;
    let since = since.trim_start_matches("W/").trim_matches('"');
    let mut renamed = cask("alpha-app", "1.1");
    renamed["old_tokens"] = json!(["alpha"]);
    assert_eq!(server.send(upload(json!([renamed, cask("other", "1.0")]))).await.status, 200);
    let page = server.get(&format!("/changes?since={since}")).await.json();
    let changes = page["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 1, "{page}");
    assert_eq!(
        (&changes[0]["kind"], &changes[0]["slug"]),
        (&json!("renamed"), &json!("alpha-app"))
    );
    let fields = &changes[0]["fields"];
    assert_eq!(fields["slug"], json!({"from": "alpha", "to": "alpha-app"}));
    assert_eq!(fields["current_version"], json!({"from": "1.0", "to": "1.1"}));
    let history = server.get("/apps/alpha-app/history").await.json();
    let versions: Vec<&Value> =
        history["versions"].as_array().unwrap().iter().map(|version| &version["version"]).collect();
    assert_eq!(versions, [&json!("1.1"), &json!("1.0")]);
}

#[tokio::test]
async fn a_change_of_payloads_is_no_change_but_its_token_is_known() {
    let server =
        TestServer::with_records(&[label_and_cask("alpha", Some("Acme"), "1.0", "1.0")]).await;
    let before = server.get("/changes").await.json();
    let mut record = label_and_cask("alpha", Some("Acme"), "1.0", "1.0");
    record["sources"]["cask_catalog"]["entry_json"]["desc"] = json!("new text");
    server.replace_records(&[record]).await;
    let after = server.get("/changes").await.json();
    assert_ne!(after["to"], before["to"], "it is a revision");
    assert_eq!((&after["next"], &after["changes"]), (&before["next"], &before["changes"]));
    for token in [&before["to"], &after["to"]] {
        let since = server.get(&format!("/changes?since={}", token.as_str().unwrap())).await;
        assert_eq!(since.status, 200, "{since:?}");
        assert_eq!(since.json()["changes"], json!([]));
    }
}

#[tokio::test]
async fn an_upgrade_that_only_renders_differently_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let server = TestServer::on_store(&store);
    server.replace_records(&[versioned("alpha", Some("1")), versioned("beta", Some("2"))]).await;
    let before = server.get("/changes").await.json();
    stop(server);
    // As an older version might have written it: other rules, other bytes, and one other value.
    let connection = Connection::open(&store).unwrap();
    connection
        .execute_batch(
            "UPDATE served_by SET rules = 'older', content_hash = 'older';
             UPDATE revision SET content_hash = 'older';
             UPDATE served SET app = CAST(replace(CAST(app AS TEXT), ',\"', ' , \"') AS BLOB);
             UPDATE served SET app = CAST(replace(CAST(app AS TEXT), '\"2\"', '\"1.9\"') AS BLOB)
             WHERE slug = 'beta';",
        )
        .unwrap();
    drop(connection);
    let server = TestServer::on_store(&store);
    let page = server.get(&format!("/changes?since={}", before["next"].as_str().unwrap())).await;
    let page = page.json();
    let changes = page["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 1, "{page}");
    let fields = json!({"current_version": {"from": "1.9", "to": "2"}});
    assert_eq!((&changes[0]["slug"], &changes[0]["fields"]), (&json!("beta"), &fields));
}

#[tokio::test]
async fn a_store_whose_last_catalog_is_unknown_starts_a_new_epoch() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let server = TestServer::on_store(&store);
    server.replace_records(&[versioned("alpha", Some("1"))]).await;
    let before = server.get("/changes").await.json();
    stop(server);
    let connection = Connection::open(&store).unwrap();
    connection
        .execute_batch("DELETE FROM served_by; UPDATE revision SET content_hash = 'older';")
        .unwrap();
    drop(connection);
    let server = TestServer::on_store(&store);
    for since in [before["next"].as_str().unwrap(), "0", "empty"] {
        let gone = server.get(&format!("/changes?since={since}")).await;
        assert_eq!(gone.status, 410, "{since}: {gone:?}");
        assert_eq!(gone.json()["reset"], true);
    }
    let now = server.get("/changes").await.json();
    assert_eq!(now["changes"], json!([]));
    server.replace_records(&[versioned("alpha", Some("2"))]).await;
    let since = now["next"].as_str().unwrap();
    assert_eq!(listed(&server, &format!("since={since}")).await, expected(&[("changed", "alpha")]));
    assert_eq!(
        server.get("/apps/alpha/history").await.json()["versions"][1]["first_seen"],
        json!(null)
    );
}

#[tokio::test]
async fn another_store_has_another_epoch() {
    let first = TestServer::with_records(&[versioned("alpha", Some("1"))]).await;
    let second = TestServer::with_records(&[versioned("alpha", Some("1"))]).await;
    let token = first.get("/changes").await.json()["next"].as_str().unwrap().to_owned();
    assert_eq!(first.get(&format!("/changes?since={token}")).await.status, 200);
    assert_eq!(second.get(&format!("/changes?since={token}")).await.status, 410);
}

#[tokio::test]
async fn a_restored_copy_does_not_answer_for_what_was_lost() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let server = TestServer::on_store(&store);
    server.replace_records(&[versioned("alpha", Some("1"))]).await;
    let kept = server.get("/changes").await.json()["next"].as_str().unwrap().to_owned();
    stop(server);
    let copy = std::fs::read(&store).unwrap();
    let server = TestServer::on_store(&store);
    server.replace_records(&[versioned("alpha", Some("2"))]).await;
    let lost = server.get("/changes").await.json()["next"].as_str().unwrap().to_owned();
    stop(server);
    std::fs::write(&store, copy).unwrap();
    let server = TestServer::on_store(&store);
    assert_eq!(server.get(&format!("/changes?since={lost}")).await.status, 410, "not reached");
    server.replace_records(&[versioned("alpha", Some("3"))]).await;
    assert_eq!(server.get(&format!("/changes?since={lost}")).await.status, 410, "another change");
    assert_eq!(server.get(&format!("/changes?since={kept}")).await.status, 200);
}

#[tokio::test]
async fn old_changes_are_folded_and_gone() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let server = TestServer::on_store(&store);
    for version in ["1", "2", "3"] {
        server
            .replace_records(&[versioned("alpha", Some(version)), versioned("beta", Some("1"))])
            .await;
    }
    let old = server.get("/changes?limit=2").await.json()["from"].as_str().unwrap().to_owned();
    let newest = server.get("/changes").await.json()["next"].as_str().unwrap().to_owned();
    stop(server);
    let connection = Connection::open(&store).unwrap();
    connection.execute("UPDATE revision SET changed_at = '2020-01-01T00:00:00Z'", []).unwrap();
    drop(connection);
    let server = TestServer::on_store(&store);
    assert_eq!(server.get(&format!("/changes?since={old}")).await.status, 200, "not folded yet");
    server.replace_records(&[versioned("alpha", Some("4")), versioned("beta", Some("1"))]).await;
    for since in [&old, "0", "2019-01-01"] {
        assert_eq!(server.get(&format!("/changes?since={since}")).await.status, 410, "{since}");
    }
    let since = |since: &str| format!("since={since}");
    assert_eq!(listed(&server, &since(&newest)).await, expected(&[("changed", "alpha")]));
    let page = server.get("/changes").await.json();
    let history = server.get("/apps/alpha/history").await.json();
    stop(server);
    let rows = "SELECT group_concat(slug) FROM (SELECT slug FROM change ORDER BY seq)";
    let rows: String =
        Connection::open(&store).unwrap().query_row(rows, [], |row| row.get(0)).unwrap();
    assert_eq!(rows, "beta,alpha,alpha", "the last ones before, and the new one");
    let server = TestServer::on_store(&store);
    assert_eq!(server.get("/changes").await.json(), page);
    assert_eq!(server.get("/apps/alpha/history").await.json(), history);
}

#[tokio::test]
async fn a_store_without_a_journal_gets_one() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let server = TestServer::on_store(&store);
    server.replace_records(&[versioned("alpha", Some("1"))]).await;
    server.replace_records(&[versioned("alpha", Some("2"))]).await;
    let token = server.etag().await;
    stop(server);
    // As the schema before.
    let connection = Connection::open(&store).unwrap();
    connection
        .execute_batch(
            "DROP TABLE journal; DROP TABLE change; DROP TABLE drift_event;
             DROP TABLE hook_delivery; DROP TABLE hook;
             DROP TABLE written; DROP TABLE lost_edition; DROP TABLE refresh_state;
             DROP TABLE source_refresh; DROP TABLE refresh_memory; DROP TABLE patch_title;
             ALTER TABLE revision DROP COLUMN newest_change;
             DELETE FROM refinery_schema_history WHERE version >= 7;",
        )
        .unwrap();
    let older: String = "SELECT token FROM revision ORDER BY number LIMIT 1".to_owned();
    let older: String = connection.query_row(&older, [], |row| row.get(0)).unwrap();
    drop(connection);
    let server = TestServer::on_store(&store);
    assert_eq!(server.etag().await, token, "it serves the same");
    let page = server.get("/changes").await.json();
    assert_eq!(page["changes"], json!([]));
    for since in [older.as_str(), "0000-01-01", "2020-01-01T00:00:00Z", "empty"] {
        assert_eq!(server.get(&format!("/changes?since={since}")).await.status, 410, "{since}");
    }
    let token = token.trim_start_matches("W/").trim_matches('"');
    assert_eq!(server.get(&format!("/changes?since={token}")).await.status, 200);
    server.replace_records(&[versioned("alpha", Some("3"))]).await;
    assert_eq!(listed(&server, &format!("since={token}")).await, expected(&[("changed", "alpha")]));
    let history = server.get("/apps/alpha/history").await.json();
    assert_eq!(history["versions"][1]["version"], "2");
    assert_eq!(history["versions"][1]["first_seen"], json!(null), "nobody saw it come");
}
