//! Accepted uploads and their responses.

use std::io::Write;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{TestServer, app, ndjson, record};

#[tokio::test]
async fn an_upload_answers_with_a_summary() {
    let server = TestServer::empty();
    let response = server.upload(&ndjson(&[record("a"), record("b"), record("c")])).await;
    assert_eq!(response.status, 200);
    let summary = response.json();
    let revision = summary["revision"].as_str().unwrap();
    assert_eq!(format!("W/\"{revision}\""), server.etag().await);
    assert_eq!(
        summary,
        json!({"revision": revision, "changed": true, "received": 3, "accepted": 3, "rejected": 0,
               "problems": [], "apps": {"total": 3, "added": 3, "updated": 0, "removed": 0}})
    );

    let mut changed = app("b");
    changed["vendor"] = json!("Acme");
    let next =
        ndjson(&[record("a"), json!({"app": changed, "sources": null}), record("c"), record("d")]);
    let apps = server.upload(&next).await.json()["apps"].clone();
    assert_eq!(apps, json!({"total": 4, "added": 1, "updated": 1, "removed": 0}));
}

#[tokio::test]
async fn one_bad_record_never_sinks_its_batch_and_leaves_its_predecessor() {
    let server = TestServer::with_records(&[
        record("goes"),
        record("keeps"),
        record("stays-1"),
        record("stays-2"),
        record("stays-3"),
    ])
    .await;
    let mut broken = app("keeps");
    broken["name"] = json!("${name}");
    let body = ndjson(&[
        record("new"),
        json!({"app": broken, "sources": null}),
        record("stays-1"),
        record("stays-2"),
        record("stays-3"),
        record("new"),
    ]);
    let summary = server.upload(&body).await.json();
    assert_eq!(
        (&summary["received"], &summary["accepted"], &summary["rejected"]),
        (&json!(6), &json!(4), &json!(2))
    );
    let problems = summary["problems"].as_array().unwrap();
    let whats: Vec<_> = problems.iter().map(|problem| problem["what"].as_str().unwrap()).collect();
    assert_eq!(whats, ["line 2, slug 'keeps'", "line 6, slug 'new'"]);
    assert!(
        problems[0]["why"].as_str().unwrap().contains("name contains a shell expression"),
        "{problems:?}"
    );
    assert_eq!(
        server.get("/apps").await.slugs(),
        ["keeps", "new", "stays-1", "stays-2", "stays-3"]
    );
}

#[tokio::test]
async fn a_line_that_names_no_record_removes_none() {
    let server = TestServer::with_records(&[record("a"), record("b")]).await;
    let summary = server.upload(&format!("{}\nnot json\n\r\n", record("c"))).await.json();
    assert_eq!((&summary["accepted"], &summary["rejected"]), (&json!(1), &json!(1)));
    let problems = summary["problems"].to_string();
    assert!(problems.contains("line 2") && problems.contains("no record is removed"), "{problems}");
    assert_eq!(server.get("/apps").await.slugs(), ["a", "b", "c"]);
}

#[tokio::test]
async fn a_refused_record_under_a_routes_name_leaves_its_predecessor_too() {
    let server = TestServer::with_records(&[record("a")]).await;
    server.put_record(&record("drift")).await;
    let mut broken = record("drift");
    broken["app"]["name"] = json!("");
    server.upload(&ndjson(&[record("a"), broken])).await;
    assert_eq!(server.get("/apps").await.slugs(), ["a", "drift-app"]);
}

#[tokio::test]
async fn a_first_upload_replaces_the_sample_without_ado() {
    let server = TestServer::with_sample();
    let summary = server.upload(&ndjson(&[record("mine")])).await;
    assert_eq!(summary.status, 200);
    assert_eq!(server.get("/apps").await.slugs(), ["mine"]);
}

#[tokio::test]
async fn the_same_data_again_keeps_what_was_made_of_it() {
    let server = TestServer::with_sample();
    let export = server.get("/apps?limit=1000").await;
    let lines: Vec<Value> = export
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|app| json!({"app": app, "sources": null}))
        .collect();
    server.upload(&ndjson(&lines)).await;
    let before = server.etag().await;
    assert_eq!(server.upload(&ndjson(&lines)).await.json()["changed"], false);
    assert_eq!(server.etag().await, before);
}

#[tokio::test]
async fn at_most_a_hundred_problems_are_listed() {
    let server = TestServer::empty();
    let body = "{}\n".repeat(150);
    let summary = server.upload(&body).await.json();
    assert_eq!(summary["rejected"], 150);
    assert_eq!(summary["problems"].as_array().unwrap().len(), 100);
    assert_eq!(summary["changed"], false);
}

#[tokio::test]
async fn a_slug_that_a_route_would_hide_is_renamed_and_reported() {
    let server = TestServer::empty();
    let summary = server.upload(&ndjson(&[record("drift"), record("jamf-index")])).await.json();
    assert_eq!(summary["accepted"], 2);
    assert_eq!(summary["problems"][0]["what"], "line 1, slug 'drift-app'");
    assert!(summary["problems"][0]["why"].as_str().unwrap().contains("'drift-app'"));
    assert_eq!(server.get("/apps").await.slugs(), ["drift-app", "jamf-index-app"]);
    assert_eq!(server.get("/apps/drift-app").await.json()["slug"], "drift-app");
    let removed = server.delete("/admin/records/drift").await;
    assert_eq!(removed.json()["apps"]["removed"], 1);
}

#[tokio::test]
async fn packed_bodies_are_unpacked() {
    let body = ndjson(&[record("a"), record("b")]).into_bytes();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&body).unwrap();
    let gzip = gzip.finish().unwrap();
    let zstd = zstd::bulk::compress(&body, 3).unwrap();
    for (coding, packed) in
        [("gzip", gzip), ("x-gzip", gzip_of(&body)), ("ZSTD", zstd), ("identity", body.clone())]
    {
        let server = TestServer::empty();
        let request = server
            .admin(Method::PUT, "/admin/records")
            .header("content-encoding", coding)
            .body(packed);
        let response = server.send(request).await;
        assert_eq!(
            (response.status.as_u16(), &response.json()["accepted"]),
            (200, &json!(2)),
            "{coding}"
        );
    }
}

fn gzip_of(body: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(body).unwrap();
    gzip.finish().unwrap()
}

#[tokio::test]
async fn one_record_is_put_replaced_and_deleted() {
    let server = TestServer::empty();
    let put = |body: Value| server.admin(Method::PUT, "/admin/records/solo").body(body.to_string());
    let first = server.send(put(record("solo"))).await.json();
    assert_eq!((&first["received"], &first["apps"]["added"]), (&json!(1), &json!(1)));
    let mut changed = app("solo");
    changed["vendor"] = json!("Acme");
    let second = server.send(put(json!({"app": changed, "sources": null}))).await.json();
    assert_eq!(second["apps"], json!({"total": 1, "added": 0, "updated": 1, "removed": 0}));
    let again = server.send(put(json!({"app": changed, "sources": null}))).await.json();
    assert_eq!(again["changed"], false);

    let deleted = server.delete("/admin/records/solo").await;
    assert_eq!(deleted.status, 200);
    assert_eq!(deleted.json()["apps"], json!({"total": 0, "added": 0, "updated": 0, "removed": 1}));
    assert_eq!(server.get("/apps/solo").await.status, 404);
    let gone = server.delete("/admin/records/solo").await;
    assert_eq!(gone.status, 404);
    assert!(gone.detail().contains("'solo'"), "{}", gone.detail());
}

#[tokio::test]
async fn a_removed_source_payload_becomes_null_again() {
    let server = TestServer::empty();
    let mut given = app("a");
    given["sources"] = json!(["cask_catalog"]);
    let with = json!({"app": given, "sources": {"cask_catalog": {"token": "a", "entry_json": {"version": "1"}}}});
    server.upload(&with.to_string()).await;
    assert_eq!(server.get("/apps/a/sources").await.json()["cask_catalog"]["token"], "a");
    server.upload(&record("a").to_string()).await;
    assert_eq!(server.get("/apps/a/sources").await.json()["cask_catalog"], Value::Null);
    assert_eq!(server.get("/apps/a").await.json()["sources"], json!([]));
}
