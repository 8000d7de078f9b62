//! Findings for the same labels that arrive at the same moment, at two servers on one store.

use std::{collections::BTreeMap, path::Path};

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    sources::{SAMPLE_LABEL, label_archive},
    support::{Response, TestServer},
};

const LABELS: [&str; 4] = ["one", "two", "three", "four"];
const TIME: &str = "2026-08-01T10:00:00Z";

/// Three findings for one label that complete each other in any order.
fn findings(label: &str, found_by: &str) -> [Value; 3] {
    let url = "https://example.com/app.dmg";
    [
        json!({"downloadURL": url}),
        json!({"appNewVersion": "3.0"}),
        json!({"appNewVersion": "3.0", "i386": {"downloadURL": "https://example.com/intel.dmg"}}),
    ]
    .map(|mut line| {
        line["label"] = json!(label);
        line["ok"] = json!(true);
        line["found_by"] = json!(found_by);
        line["found_at"] = json!(TIME);
        line
    })
}

async fn post(server: &TestServer, line: Value) -> Response {
    let request = server.admin(Method::POST, "/admin/labels/resolved").body(line.to_string());
    server.send(request).await
}

/// The stored results of running labels, by key and finder.
fn stored(store: &Path) -> BTreeMap<(String, String), Value> {
    let store = rusqlite::Connection::open(store).unwrap();
    let rows = "SELECT key, origin, body FROM document WHERE key LIKE 'resolution/%'";
    let mut statement = store.prepare(rows).unwrap();
    let rows = statement
        .query_map([], |row| {
            let body: Vec<u8> = row.get(2)?;
            Ok(((row.get(0)?, row.get(1)?), serde_json::from_slice(&body).unwrap()))
        })
        .unwrap();
    rows.map(Result::unwrap).collect()
}

#[tokio::test]
async fn findings_for_one_label_that_arrive_at_once_at_two_servers_are_all_kept() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let servers = [TestServer::on_store(&store), TestServer::on_store(&store)];
    let labels = LABELS.map(|label| (label, SAMPLE_LABEL));
    let response = servers[0].put("/admin/sources/label_tool", label_archive(&labels)).await;
    assert_eq!(response.status, 200, "{response:?}");

    let lines: Vec<Value> = LABELS
        .iter()
        .flat_map(|label| ["run", "posted"].map(|finder| findings(label, finder)))
        .flatten()
        .collect();
    let posts = lines.into_iter().zip(servers.iter().cycle());
    let responses = futures_util::future::join_all(posts.map(|(line, server)| post(server, line)));
    for response in responses.await {
        assert_eq!(response.status, 200, "{response:?}");
        let summary = response.json();
        assert_eq!((&summary["accepted"], &summary["problems"]), (&json!(1), &json!([])));
        assert_eq!(summary["labels"].as_array().unwrap().len(), 1, "{summary}");
    }
    let stored = stored(&store);
    assert_eq!(stored.len(), 2 * LABELS.len(), "{stored:?}");
    for (name, resolution) in stored {
        assert_eq!(resolution["downloadURL"], "https://example.com/app.dmg", "{name:?}");
        assert_eq!(resolution["appNewVersion"], "3.0", "{name:?}: {resolution}");
        assert_eq!(
            resolution["i386"]["downloadURL"], "https://example.com/intel.dmg",
            "{name:?}: {resolution}"
        );
    }
}
