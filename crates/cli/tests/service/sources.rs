//! `PUT /admin/sources…` and resolved labels, with small test files.

use std::io::{Read, Write};

use reqwest::{Method, multipart};
use serde_json::{Value, json};

use crate::support::{TestServer, record};

/// A gzipped tar of label fragments.
pub(crate) fn label_archive(fragments: &[(&str, &str)]) -> Vec<u8> {
    let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut archive = tar::Builder::new(gzip);
    for (name, body) in fragments {
        let text = format!("{name})\n{body}\n    ;;\n");
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_cksum();
        let path = format!("Tool-main/fragments/labels/{name}.sh");
        archive.append_data(&mut header, path, text.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}

pub(crate) fn cask(token: &str, version: &str) -> Value {
    let app = token.to_uppercase();
    json!({"token": token, "name": [app], "version": version, "sha256": "a".repeat(64),
        "url": format!("https://example.com/{token}-{version}.dmg"), "homepage": "https://example.com/",
        "artifacts": [{"app": [format!("{app}.app")]}]})
}

pub(crate) const SAMPLE_LABEL: &str = "    name=\"SAMPLE\"\n    type=\"dmg\"\n    downloadURL=$(curl -fs https://example.com)\n    appNewVersion=$(curl -fs https://example.com/v)\n    expectedTeamID=\"ABCDE12345\"";

/// A server with one label and two casks.
pub(crate) async fn server() -> TestServer {
    let server = TestServer::empty();
    let casks = json!([cask("sample", "2.0"), cask("other", "1.0")]).to_string();
    let form = multipart::Form::new()
        .part("label_tool", multipart::Part::bytes(label_archive(&[("sample", SAMPLE_LABEL)])))
        .part("cask_catalog", multipart::Part::text(casks));
    let response = server.send(server.admin(Method::PUT, "/admin/sources").multipart(form)).await;
    assert_eq!(response.status, 200, "{response:?}");
    let summary = response.json();
    assert_eq!(
        (&summary["received"], &summary["apps"]["added"]),
        (&json!(3), &json!(2)),
        "{summary}"
    );
    server
}

#[tokio::test]
async fn several_sources_are_stitched_as_one_revision() {
    let server = server().await;
    let sample = server.get("/apps/sample").await.json();
    assert_eq!(sample["sources"], json!(["label_tool", "cask_catalog"]));
    assert_eq!(sample["current_version"], "2.0");
    assert_eq!(sample["download_url"], "https://example.com/sample-2.0.dmg");
    assert_eq!(sample["sha256"], "a".repeat(64));
    assert_eq!(sample["expected_team_id"], "ABCDE12345");
    let sources = server.get("/apps/sample/sources").await.json();
    assert_eq!(sources["label_tool"]["raw"]["appNewVersion"], "$(curl -fs https://example.com/v)");
    assert_eq!(sources["cask_catalog"]["entry_json"], cask("sample", "2.0"));
}

#[tokio::test]
async fn one_source_is_replaced_and_what_no_source_carries_leaves() {
    let server = server().await;
    let before = server.etag().await;
    let casks = json!([cask("sample", "2.1"), cask("new", "1.0")]).to_string();
    let refused = server.put("/admin/sources/cask_catalog", casks.clone()).await;
    assert_eq!(refused.status, 409, "half of the casks would be removed");
    let body = refused.json();
    assert_eq!(
        (&body["source"], &body["removed"], &body["present"]),
        (&json!("cask_catalog"), &json!(1), &json!(2)),
        "{body}"
    );
    assert_eq!(server.etag().await, before);
    let summary =
        server.put("/admin/sources/cask_catalog?allow_shrink=true", casks.clone()).await.json();
    assert_eq!(summary["apps"], json!({"total": 2, "added": 1, "updated": 1, "removed": 1}));
    assert_eq!(server.get("/apps").await.slugs(), ["new", "sample"]);
    let again = server.put("/admin/sources/cask_catalog", casks).await.json();
    assert_eq!(again["changed"], false);
}

#[tokio::test]
async fn gzipped_upstream_files_are_taken_as_they_are() {
    let server = TestServer::empty();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(json!([cask("sample", "1.0")]).to_string().as_bytes()).unwrap();
    let response = server.put("/admin/sources/cask_catalog", gzip.finish().unwrap()).await;
    assert_eq!(response.json()["accepted"], 1);
}

#[tokio::test]
async fn repeated_parts_of_a_form_add_up() {
    let server = TestServer::empty();
    let part = |token: &str| multipart::Part::text(json!([cask(token, "1.0")]).to_string());
    let form = || {
        let form = multipart::Form::new().part("cask_catalog", part("one"));
        form.part("cask_catalog", part("two"))
    };
    let send = |form| server.send(server.admin(Method::PUT, "/admin/sources").multipart(form));
    assert_eq!(send(form()).await.json()["apps"]["total"], 2);
    assert_eq!(server.get("/apps").await.slugs(), ["one", "two"]);
    assert_eq!(send(form()).await.json()["changed"], false);
}

#[tokio::test]
async fn zstd_and_plain_archives_are_taken_as_they_are() {
    let server = TestServer::empty();
    let casks = json!([cask("sample", "1.0")]).to_string();
    let zstd = zstd::bulk::compress(casks.as_bytes(), 3).unwrap();
    let response = server.put("/admin/sources/cask_catalog", zstd).await;
    assert_eq!(response.json()["accepted"], 1);
    let mut archive = Vec::new();
    let packed = label_archive(&[("sample", SAMPLE_LABEL)]);
    flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut archive).unwrap();
    for archive in [archive.clone(), zstd::bulk::compress(&archive, 3).unwrap()] {
        let response = server.put("/admin/sources/label_tool", archive).await;
        assert_eq!(response.json()["accepted"], 1);
    }
}

#[tokio::test]
async fn two_lines_for_one_label_complete_each_other() {
    let server = server().await;
    let lines = [
        json!({"label": "sample", "ok": true, "downloadURL": "https://example.com/new.dmg"}),
        json!({"label": "sample", "ok": true, "appNewVersion": "3.0"}),
    ];
    let body = lines.map(|line| line.to_string()).join("\n");
    let resolve = server.admin(Method::POST, "/admin/labels/resolved").body(body);
    assert_eq!(server.send(resolve).await.json()["accepted"], 2);
    let sample = server.get("/apps/sample").await.json();
    assert_eq!(sample["download_url"], "https://example.com/new.dmg");
    assert_eq!(sample["current_version"], "3.0");
}

#[tokio::test]
async fn bad_entries_are_reported_and_bad_files_refused() {
    let server = server().await;
    let before = server.etag().await;
    for (path, body, status, says) in [
        ("/admin/sources/cask_catalog", "<html>", 422, "Cannot read the file of cask_catalog"),
        ("/admin/sources/label_tool", "no archive", 422, "label_tool"),
        ("/admin/sources/recipe_index", "[]", 422, "recipe_index"),
        ("/admin/sources/mdm_installer", "<p>Sign in</p>", 422, "mdm_installer"),
        ("/admin/sources/store_listing", "{}", 422, "store_listing"),
        ("/admin/sources/label_versions", "no archive", 422, "label_versions"),
        ("/admin/sources/nonsense", "[]", 404, "Unknown source 'nonsense'"),
        ("/admin/sources", "not a form", 422, "multipart"),
    ] {
        let response = server.put(path, body).await;
        assert_eq!(response.status, status, "{path}: {response:?}");
        assert!(response.detail().contains(says), "{}", response.detail());
    }
    assert_eq!(server.etag().await, before);
    let mixed =
        json!([cask("sample", "2.0"), cask("other", "1.0"), {"name": ["no token"]}]).to_string();
    let summary = server.put("/admin/sources/cask_catalog", mixed).await.json();
    assert_eq!((&summary["rejected"], &summary["changed"]), (&json!(1), &json!(false)));
    assert_eq!(summary["problems"][0]["what"], "cask_catalog, entry 3");
    let without_token = server.request(Method::PUT, "/admin/sources/cask_catalog").body("[]");
    assert_eq!(server.send(without_token).await.status, 401);
}

#[tokio::test]
async fn the_sample_makes_way_for_real_data_and_hand_given_records_stay_on_top() {
    let server = TestServer::with_sample();
    let by_hand =
        json!({"app": {"slug": "sample", "name": "By hand", "sources": []}, "sources": null});
    server.put_record(&by_hand).await;
    server
        .put(
            "/admin/sources/cask_catalog",
            json!([cask("sample", "1"), cask("zoom", "9")]).to_string(),
        )
        .await;
    assert_eq!(server.get("/apps").await.slugs(), ["sample", "zoom"]);
    assert_eq!(server.get("/apps/sample").await.json()["name"], "By hand");
    assert_eq!(server.get("/apps/zoom").await.json()["current_version"], "9", "not the sample's");
    server.delete("/admin/records/sample").await;
    assert_eq!(
        server.get("/apps/sample").await.json()["name"],
        "SAMPLE",
        "the stitched record is served again"
    );
}

#[tokio::test]
async fn what_running_a_label_found_is_served_until_the_fragment_changes() {
    let server = server().await;
    let unresolved = || async {
        server.send(server.admin(Method::GET, "/admin/labels/unresolved")).await.json()
    };
    assert_eq!(unresolved().await, json!({"labels": ["sample"]}));
    assert_eq!(server.get("/admin/labels/unresolved").await.status, 401);
    let resolve = |lines: Vec<Value>| {
        let body: Vec<String> = lines.iter().map(Value::to_string).collect();
        server.send(server.admin(Method::POST, "/admin/labels/resolved").body(body.join("\n")))
    };
    let summary = resolve(vec![
        json!({"label": "sample", "ok": true, "downloadURL": "https://example.com/sample-2.1.dmg", "appNewVersion": "2.1"}),
        json!({"label": "unknown", "ok": true, "appNewVersion": "1"}),
        json!({"label": "sample"}),
    ])
    .await
    .json();
    assert_eq!((&summary["accepted"], &summary["rejected"]), (&json!(1), &json!(2)), "{summary}");
    assert_eq!(unresolved().await, json!({"labels": []}));
    let sample = server.get("/apps/sample").await.json();
    assert_eq!(sample["current_version"], "2.1");
    assert_eq!(sample["download_url"], "https://example.com/sample-2.1.dmg");
    assert_eq!(sample["sha256"], Value::Null, "the hash was of the cask's file");
    assert_eq!(server.get("/apps/sample/drift").await.json()["leader"], "label_tool");

    let failed = resolve(vec![json!({"label": "sample", "ok": false, "appNewVersion": "broken"})])
        .await
        .json();
    assert_eq!(failed["changed"], false, "a failed run changes nothing");
    server
        .put(
            "/admin/sources/label_tool",
            label_archive(&[("sample", SAMPLE_LABEL), ("more", "    name=\"More\"")]),
        )
        .await;
    assert_eq!(
        server.get("/apps/sample").await.json()["current_version"],
        "2.1",
        "the resolution survives a new upload"
    );
    let changed = SAMPLE_LABEL.replace("/v)", "/version)");
    server
        .put(
            "/admin/sources/label_tool",
            label_archive(&[("sample", &changed), ("more", "    name=\"More\"")]),
        )
        .await;
    assert_eq!(
        server.get("/apps/sample").await.json()["current_version"],
        "2.0",
        "until the fragment changes"
    );
}

#[tokio::test]
async fn provenance_tells_where_every_value_is_from() {
    let server = server().await;
    let response = server.get("/apps/sample/provenance").await;
    let provenance = response.json();
    assert_eq!(response.header("etag"), server.etag().await);
    assert_eq!(provenance["slug"], "sample");
    assert_eq!(provenance["fields"]["download_url"], "cask_catalog");
    assert_eq!(provenance["fields"]["expected_team_id"], "label_tool");
    assert_eq!(provenance["fields"]["vendor"], Value::Null);
    assert_eq!(provenance["sources"]["cask_catalog"]["id"], "sample");
    assert!(provenance["sources"]["cask_catalog"]["evidence"].as_array().unwrap().len() > 1);
    assert_eq!(server.get_with("/apps/sample/provenance", "if-none-match", "*").await.status, 304);
    assert_eq!(server.get("/apps/nobody/provenance").await.status, 404);

    let by_hand = TestServer::with_records(&[record("given")]).await;
    let provenance = by_hand.get("/apps/given/provenance").await.json();
    assert_eq!(
        (&provenance["fields"]["name"], &provenance["fields"]["vendor"]),
        (&json!("records"), &Value::Null)
    );
}
