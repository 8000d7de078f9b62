//! Rejected uploads: nothing changes, and the response says what to do.

use reqwest::{Method, RequestBuilder, multipart};
use serde_json::{Value, json};

use crate::support::{TOKEN, TestServer, app, ndjson, record};

/// Sends a request that must fail, and checks that the catalog is unchanged.
async fn refused(server: &TestServer, request: RequestBuilder, status: u16, says: &str) {
    let before = server.etag().await;
    let response = server.send(request).await;
    assert_eq!(response.status, status, "{response:?}");
    assert!(response.detail().contains(says), "'{}' should say '{says}'", response.detail());
    assert_eq!(server.etag().await, before, "nothing changes");
}

#[tokio::test]
async fn without_a_configured_token_uploads_are_off() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(&folder.path().join("catalog.db"), &[], |_| {});
    for (method, path) in [
        (Method::PUT, "/admin/records"),
        (Method::PUT, "/admin/records/a"),
        (Method::DELETE, "/admin/records/zoom"),
    ] {
        let request = server.admin(method, path).body(record("a").to_string());
        refused(&server, request, 503, "APPSTITCH_DEPLOY_TOKEN").await;
    }
}

#[tokio::test]
async fn a_wrong_or_missing_token_is_401_with_a_challenge() {
    let server = TestServer::with_sample();
    for authorization in
        [None, Some("Bearer wrong"), Some("Bearer "), Some(TOKEN), Some("Basic b3Blbg==")]
    {
        for (method, path) in
            [(Method::PUT, "/admin/records"), (Method::DELETE, "/admin/records/zoom")]
        {
            let mut request = server.request(method, path).body(record("a").to_string());
            if let Some(value) = authorization {
                request = request.header("authorization", value);
            }
            let again = request.try_clone().unwrap();
            refused(&server, request, 401, "Authorization: Bearer").await;
            assert!(server.send(again).await.header("www-authenticate").starts_with("Bearer"));
        }
    }
}

#[tokio::test]
async fn an_upload_that_loses_more_than_a_fifth_must_be_meant() {
    let ten: Vec<Value> = (0..10).map(|n| record(&format!("app-{n}"))).collect();
    let server = TestServer::with_records(&ten).await;
    let seven = ndjson(&ten[..7]);
    let request = server.admin(Method::PUT, "/admin/records").body(seven.clone());
    refused(&server, request, 409, "?allow_shrink=true").await;
    let request = server.admin(Method::PUT, "/admin/records?allow_shrink=false").body("");
    refused(&server, request, 409, "10 of 10").await;

    let fifth = server.upload(&ndjson(&ten[..8])).await;
    assert_eq!(fifth.json()["apps"]["removed"], 2, "a fifth may be removed");
    let meant = server.put("/admin/records?allow_shrink=true", "").await;
    assert_eq!(meant.json()["apps"], json!({"total": 0, "added": 0, "updated": 0, "removed": 8}));
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_422() {
    let server = TestServer::with_sample();
    let put = || server.admin(Method::PUT, "/admin/records");
    refused(&server, put().body("<html>not records</html>"), 422, "contains no valid record").await;
    refused(&server, put().body(vec![0xff, 0xfe, 0x00]), 422, "contains no valid record").await;
    refused(&server, put().body("[1,2,3]\n\"text\""), 422, "contains no valid record").await;
    let cut = &zstd::bulk::compress(ndjson(&[record("a")]).as_bytes(), 3).unwrap()[..12];
    let request = put().header("content-encoding", "zstd").body(cut.to_vec());
    refused(&server, request, 422, "Cannot decompress").await;
    let request = put().header("content-encoding", "gzip").body("plain");
    refused(&server, request, 422, "Cannot decompress").await;
}

#[tokio::test]
async fn an_unknown_coding_is_415() {
    let server = TestServer::with_sample();
    for coding in ["br", "deflate", "gzip, zstd", "nonsense"] {
        let request = server
            .admin(Method::PUT, "/admin/records")
            .header("content-encoding", coding)
            .body("x");
        refused(&server, request, 415, "use gzip, zstd or none").await;
    }
}

#[tokio::test]
async fn a_body_over_the_limit_is_413_as_sent_and_as_unpacked() {
    let server = TestServer::with_sample();
    let put = || server.admin(Method::PUT, "/admin/records");
    refused(&server, put().body(vec![b' '; (64 << 20) + 1]), 413, "67108864 bytes").await;
    let bomb = zstd::bulk::compress(&vec![b' '; (512 << 20) + 1], 1).unwrap();
    let request = put().header("content-encoding", "zstd").body(bomb);
    refused(&server, request, 413, "bytes uncompressed").await;
}

#[tokio::test]
async fn a_form_has_only_so_many_parts() {
    let server = TestServer::with_sample();
    let put = |parts: usize| {
        let form =
            (0..parts).fold(multipart::Form::new(), |form, _| form.text("cask_catalog", "[]"));
        server.admin(Method::PUT, "/admin/sources").multipart(form)
    };
    refused(&server, put(101), 422, "more than 100 parts").await;
    assert_eq!(server.send(put(100)).await.status, 200);
}

#[tokio::test]
async fn a_single_record_is_checked_like_any_other() {
    let server = TestServer::with_sample();
    let put = |slug: &str, body: Value| {
        server.admin(Method::PUT, &format!("/admin/records/{slug}")).body(body.to_string())
    };
    refused(&server, put("a", record("b")), 422, "the record's is 'b'").await;
    refused(&server, put("a", json!({"app": {"slug": "a"}})), 422, "missing field `name`").await;
    refused(&server, put("a", json!([])), 422, "contains no valid record").await;
    refused(&server, put("a%20b", record("a")), 422, "invalid slug").await;
    let mut junk = app("a");
    junk["name"] = json!("$(name)");
    refused(&server, put("a", json!({"app": junk, "sources": null})), 422, "a shell expression")
        .await;
}

#[tokio::test]
async fn junk_never_reaches_a_served_field() {
    let server = TestServer::empty();
    let long = format!("https://example.com/{}", "a".repeat(2083));
    let junk = [
        ("vendor", json!("`whoami`")),
        ("bundle_id", json!("$bundle")),
        ("current_version", json!("latest")),
        ("current_version", json!("$(curl x | head)")),
        ("download_url", json!("ftp://example.com/a.dmg")),
        ("download_url", json!(long)),
        ("download_url", json!("")),
        ("install_method", json!("exe")),
        ("expected_team_id", json!("lowercase1")),
        ("sha256", json!("no_check")),
        ("sha256", json!("a".repeat(64))),
        ("latest_release_date", json!("2026-02-30")),
        ("latest_release_date", json!("20260305")),
    ];
    let lines: Vec<Value> = junk
        .iter()
        .enumerate()
        .map(|(number, (field, value))| {
            let mut app = app(&format!("junk-{number:02}"));
            app[*field] = value.clone();
            json!({"app": app, "sources": null})
        })
        .collect();
    let summary = server.upload(&ndjson(&lines)).await.json();
    assert_eq!(summary["accepted"], junk.len(), "{summary}");
    assert_eq!(
        summary["problems"].as_array().unwrap().len(),
        junk.len(),
        "each is reported: {summary}"
    );
    let served = server.get("/apps").await.json();
    for (number, (field, value)) in junk.iter().enumerate() {
        assert_eq!(served[number][field], Value::Null, "{field} {value}");
    }
}

#[tokio::test]
async fn a_store_that_was_deleted_takes_no_upload_and_reads_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let server = TestServer::on_store(&store);
    assert_eq!(server.upload(&ndjson(&[record("a")])).await.status, 200);
    for file in std::fs::read_dir(folder.path()).unwrap() {
        std::fs::remove_file(file.unwrap().path()).unwrap();
    }
    let request = server.admin(Method::PUT, "/admin/records/b").body(record("b").to_string());
    refused(&server, request, 503, "Nothing was changed").await;
    assert_eq!(server.get("/apps").await.slugs(), ["a"]);
}
