//! Entity tags, conditional requests, encodings.

use std::{collections::HashMap, io::Read};

use reqwest::Method;
use serde_json::json;

use crate::support::{Response, TestServer, app, ndjson, record};

const READS: [&str; 7] = [
    "/apps", "/apps?limit=3", "/apps/drift", "/apps/jamf-index", "/apps/zoom",
    "/apps/zoom/sources", "/apps/zoom/drift",
];

#[tokio::test]
async fn every_read_below_apps_carries_tag_and_policy_errors_included() {
    let server = TestServer::with_sample();
    let etag = server.etag().await;
    assert!(etag.starts_with("W/\"") && etag.ends_with('"'), "{etag}");
    let errors =
        ["/apps/nobody", "/apps?limit=x", "/apps/a/b/c", "/apps/", "/apps/zoom/generate-label"];
    for path in READS.iter().chain(&errors) {
        for method in [Method::GET, Method::HEAD] {
            let response = server.send(server.request(method.clone(), path)).await;
            assert_eq!(response.header("etag"), etag, "{method} {path}");
            assert_eq!(
                response.header("cache-control"),
                "public, max-age=300, stale-while-revalidate=3600",
                "{method} {path}"
            );
        }
    }
    for path in ["/health", "/stats", "/sources", "/metrics", "/openapi.json", "/docs", "/appsx"] {
        assert_eq!(server.get(path).await.header("etag"), "", "{path}");
    }
}

#[tokio::test]
async fn a_matching_tag_gets_304_without_a_body() {
    let server = TestServer::with_sample();
    let etag = server.etag().await;
    let strong = etag.strip_prefix("W/").unwrap();
    let list = format!("\"other\", {etag}, \"more\"");
    for path in READS {
        for value in [etag.as_str(), strong, &list, "*"] {
            for method in [Method::GET, Method::HEAD] {
                let request = server.request(method, path).header("if-none-match", value);
                let response = server.send(request).await;
                assert_eq!(response.status, 304, "{path} with {value}");
                assert_eq!(response.body, b"", "{path} with {value}");
                assert_eq!(response.header("etag"), etag);
                assert_eq!(response.header("content-length"), "", "{path} with {value}");
                assert!(response.header("cache-control").contains("max-age=300"));
            }
        }
        for value in ["\"other\"", "W/\"other\"", "nonsense", "", &etag.replace('"', "")] {
            let response = server.get_with(path, "if-none-match", value).await;
            assert_eq!(response.status, 200, "{path} with {value}");
        }
    }
}

#[tokio::test]
async fn a_condition_counts_only_where_the_answer_would_be_200() {
    let server = TestServer::with_sample();
    for (path, status) in
        [("/apps/nobody", 404), ("/apps?limit=0", 422), ("/apps/x/y", 404), ("/apps/", 307)]
    {
        assert_eq!(server.get_with(path, "if-none-match", "*").await.status, status, "{path}");
    }
    assert_eq!(server.get_with("/health", "if-none-match", "*").await.status, 200);
    assert_eq!(server.get_with("/stats", "if-none-match", "*").await.status, 200);
}

#[tokio::test]
async fn the_token_moves_exactly_when_served_bytes_move() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let mut server = TestServer::on_store(&store);
    let empty = server.etag().await;
    let first = ndjson(&[record("a"), record("b")]);
    assert_eq!(server.upload(&first).await.json()["changed"], true);
    let with_two = server.etag().await;
    assert_ne!(with_two, empty);

    let again = server.upload(&first).await.json();
    assert_eq!((&again["changed"], &again["apps"]["updated"]), (&json!(false), &json!(0)));
    let reordered = server.upload(&ndjson(&[record("b"), record("a")])).await.json();
    assert_eq!(reordered["changed"], false);
    assert_eq!(server.etag().await, with_two);
    server.kill();
    let server = TestServer::on_store(&store);
    assert_eq!(server.etag().await, with_two, "a restart changes nothing");

    let mut renamed = app("a");
    renamed["name"] = json!("Renamed");
    let summary = server.put_record(&json!({"app": renamed, "sources": null})).await.json();
    assert_eq!(summary["changed"], true);
    assert_ne!(server.etag().await, with_two);
    assert_eq!(server.etag().await, format!("W/\"{}\"", summary["revision"].as_str().unwrap()));
}

/// A catalog that changes back within a second has a longer history than before.
#[tokio::test]
async fn a_tag_never_stands_for_two_contents() {
    let server = TestServer::empty();
    let version = |version: &str| {
        let mut app = app("a");
        app["current_version"] = json!(version);
        ndjson(&[json!({"app": app, "sources": null})])
    };
    let mut seen: HashMap<(&str, String), Vec<u8>> = HashMap::new();
    for upload in ["1", "2", "1", "2", "1"] {
        assert_eq!(server.upload(&version(upload)).await.json()["changed"], true);
        for path in ["/apps/a/history", "/apps/a/feed.json", "/feed.atom", "/a/a", "/changes"] {
            let response = server.get(path).await;
            let tag = response.header("etag").to_owned();
            let before = seen.insert((path, tag.clone()), response.body.clone());
            assert!(before.is_none_or(|before| before == response.body), "{path} {tag}");
        }
    }
}

#[tokio::test]
async fn the_token_carries_the_time_of_the_change() {
    let server = TestServer::with_sample();
    let stats = server.get("/stats").await.json();
    let digits =
        |text: &str| text.chars().filter(char::is_ascii_digit).take(14).collect::<String>();
    assert_eq!(
        digits(stats["catalog_sha"].as_str().unwrap()),
        digits(stats["last_refresh"].as_str().unwrap())
    );
}

fn unpack(response: &Response) -> Vec<u8> {
    let mut plain = Vec::new();
    match response.header("content-encoding") {
        "gzip" => flate2::read::GzDecoder::new(&response.body[..]).read_to_end(&mut plain),
        "br" => brotli::Decompressor::new(&response.body[..], 4096).read_to_end(&mut plain),
        "zstd" => zstd::Decoder::new(&response.body[..]).unwrap().read_to_end(&mut plain),
        other => panic!("unexpected content-encoding '{other}'"),
    }
    .unwrap();
    plain
}

#[tokio::test]
async fn pages_come_compressed_as_the_client_likes_and_unpack_to_the_same_bytes() {
    let server = TestServer::with_sample();
    for path in ["/apps", "/apps?source=cask_catalog", "/apps/drift", "/apps/slack/sources"] {
        let plain = server.get(path).await;
        assert_eq!(plain.header("content-encoding"), "", "{path}");
        // A browser gets a page of apps.
        let has_page = path == "/apps" || path.starts_with("/apps?");
        let vary = if has_page { "accept, accept-encoding" } else { "accept-encoding" };
        assert_eq!(plain.header("vary"), vary, "{path}");
        for (accepted, sent) in
            [("gzip", "gzip"), ("br;q=0.5, zstd", "zstd"), ("gzip, deflate, br, zstd", "br")]
        {
            // The second response is from the cache.
            for _ in 0..2 {
                let packed = server.get_with(path, "accept-encoding", accepted).await;
                assert_eq!(packed.header("content-encoding"), sent, "{path}");
                assert_eq!(packed.header("vary"), vary, "{path}");
                assert_eq!(packed.header("etag"), plain.header("etag"), "{path}");
                assert_eq!(packed.header("x-total-count"), plain.header("x-total-count"), "{path}");
                assert_eq!(packed.header("content-length"), packed.body.len().to_string());
                assert!(packed.body.len() < plain.body.len(), "{path}");
                assert_eq!(unpack(&packed), plain.body, "{path}");
            }
        }
        for refused in ["identity", "gzip;q=0", "unknown"] {
            let response = server.get_with(path, "accept-encoding", refused).await;
            assert_eq!(response.header("content-encoding"), "", "{path} with {refused}");
        }
    }
}

#[tokio::test]
async fn bodies_made_for_one_request_come_compressed_too() {
    let server = TestServer::with_sample();
    for path in [
        "/search?q=o",
        "/apps?slugs=firefoxpkg,slack,zoom,vlc,signal,spotify",
        "/changes?since=0",
        "/apps/firefoxpkg/history",
    ] {
        let plain = server.get(path).await;
        // A browser gets a page of changes, and of apps.
        let has_page = path.starts_with("/changes") || path.starts_with("/apps?");
        let vary = if has_page { "accept, accept-encoding" } else { "accept-encoding" };
        assert_eq!(plain.header("vary"), vary, "{path}");
        assert_eq!(plain.header("content-encoding"), "", "{path}");
        let is_long = plain.body.len() >= 1024;
        assert_eq!(is_long, !path.ends_with("history"), "{path} has {}", plain.body.len());
        for (accepted, sent) in [("gzip, br", "gzip"), ("zstd, br", "zstd"), ("br", "br")] {
            let packed = server.get_with(path, "accept-encoding", accepted).await;
            for name in ["vary", "etag", "cache-control", "link", "x-total-count"] {
                assert_eq!(packed.header(name), plain.header(name), "{name} of {path}");
            }
            assert_eq!(packed.header("content-length"), packed.body.len().to_string());
            if is_long {
                assert_eq!(packed.header("content-encoding"), sent, "{path}");
                assert!(packed.body.len() < plain.body.len(), "{path}");
                assert_eq!(unpack(&packed), plain.body, "{path}");
            } else {
                assert_eq!(packed.header("content-encoding"), "", "{path}");
            }
        }
        let request = server.request(Method::GET, path).header("accept-encoding", "br");
        let response = server.send(request.header("if-none-match", plain.header("etag"))).await;
        assert_eq!(response.status, 304, "{path}");
        assert_eq!(response.header("vary"), vary, "{path}");
    }
}

#[tokio::test]
async fn a_record_is_too_short_to_be_compressed_and_does_not_vary() {
    let server = TestServer::with_sample();
    let response = server.get_with("/apps/zoom", "accept-encoding", "gzip").await;
    assert_eq!((response.header("content-encoding"), response.header("vary")), ("", ""));
}

#[tokio::test]
async fn head_answers_like_get_without_the_body() {
    let server = TestServer::with_sample();
    let others = [
        "/stats", "/sources", "/health", "/openapi.json", "/docs", "/redoc", "/metrics",
        "/apps/nobody", "/apps?limit=0", "/nowhere",
    ];
    for path in READS.iter().chain(&others) {
        for encoding in ["identity", "gzip"] {
            let get = server.get_with(path, "accept-encoding", encoding).await;
            let head = server
                .send(server.request(Method::HEAD, path).header("accept-encoding", encoding))
                .await;
            assert_eq!(head.status, get.status, "{path}");
            assert_eq!(head.body, b"", "{path}");
            for name in get.headers.keys() {
                let may_differ = ["date", "x-request-id"].contains(&name.as_str())
                    || (*path == "/metrics" && name == "content-length");
                if !may_differ {
                    assert_eq!(head.headers.get(name), get.headers.get(name), "{name} of {path}");
                }
            }
        }
    }
}
