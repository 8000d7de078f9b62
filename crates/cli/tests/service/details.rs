//! `GET /apps/{slug}/details`, `GET /aliases/{name}`, and what leads from one name to another.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::TestServer;

/// A server with an app, its beta and an app that is about to disappear.
pub(crate) async fn server() -> TestServer {
    let server = TestServer::empty();
    let casks = json!([
        {"token": "sample", "old_tokens": ["old-sample"], "name": ["Sample"], "version": "2.0",
            "desc": "Shows samples", "homepage": "https://example.com/",
            "url": "https://example.com/Sample-2.0.dmg", "auto_updates": true,
            "depends_on": {"macos": {">=": ["13"]}},
            "supported_platforms": ["arm64_tahoe", "tahoe"],
            "artifacts": [{"app": ["Sample.app"]},
                {"uninstall": [{"quit": "com.example.Sample"}]}]},
        {"token": "sample@beta", "name": ["Sample Beta"], "version": "3.0",
            "url": "https://example.com/Sample-3.0.dmg",
            "artifacts": [{"app": ["Sample Beta.app"]}]},
        {"token": "aging", "name": ["Aging"], "version": "1.0", "deprecated": true,
            "deprecation_date": "2026-01-02", "deprecation_reason": "unmaintained",
            "deprecation_replacement_cask": "sample",
            "url": "https://example.com/Aging.zip", "artifacts": [{"app": ["Aging.app"]}]},
    ]);
    let response = server.put("/admin/sources/cask_catalog", casks.to_string()).await;
    assert_eq!(response.status, 200, "{response:?}");
    server
}

#[tokio::test]
async fn details_hold_what_the_sources_know() {
    let server = server().await;
    let details = server.get("/apps/sample/details").await.json();
    assert_eq!(
        details,
        json!({
            "slug": "sample",
            "description": "Shows samples",
            "homepage": "https://example.com/",
            "minimum_macos": "13",
            "architectures": ["arm64", "x86_64"],
            "updates_itself": true,
            "deprecation": null,
            "app_files": ["Sample.app"],
            "package_receipts": null,
            "blocking_processes": null,
            "aliases": [
                {"kind": "former_token", "name": "old-sample"},
                {"kind": "bundle_id", "name": "com.example.Sample"},
            ],
            "variants": [
                {"slug": "sample", "name": "Sample", "is_main": true, "channel": null,
                    "edition": null, "language": null, "major_version": null,
                    "install_method": "dmg", "current_version": "2.0"},
                {"slug": "sample@beta", "name": "Sample Beta", "is_main": false,
                    "channel": "beta", "edition": null, "language": null,
                    "major_version": null, "install_method": "dmg", "current_version": "3.0"},
            ],
            "first_seen": null,
            "version_agreement": {"agree": null, "versions": [
                {"source": "cask_catalog", "version": "2.0", "left_out": null},
            ]},
            "sources": ["cask_catalog"],
        })
    );
    let variants = server.get("/apps/sample@beta/details").await.json()["variants"].clone();
    assert_eq!(variants, details["variants"], "variants know each other");
}

#[tokio::test]
async fn a_deprecated_app_says_so_and_can_be_filtered() {
    let server = server().await;
    assert_eq!(
        server.get("/apps/aging/details").await.json()["deprecation"],
        json!({"status": "deprecated", "date": "2026-01-02",
            "reason": "it is no longer maintained", "replacement": "sample",
            "disabled_from": null})
    );
    for (query, expected) in [
        ("deprecated=true", vec!["aging"]),
        ("deprecated=1&source=cask_catalog", vec!["aging"]),
        ("deprecated=true&source=label_tool", vec![]),
        ("deprecated=false", vec!["sample", "sample@beta"]),
        ("deprecated=no&limit=1&offset=1", vec!["sample@beta"]),
        ("deprecated=x&deprecated=false", vec!["sample", "sample@beta"]),
    ] {
        let response = server.get(&format!("/apps?{query}")).await;
        assert_eq!(response.slugs(), expected, "{query}");
    }
    let page = server.get("/apps?deprecated=false&limit=1").await;
    assert_eq!(page.header("x-total-count"), "2");
    assert!(page.header("link").contains("/apps?deprecated=false&limit=1&offset=1"), "{page:?}");
    let wrong = server.get("/apps?limit=0&deprecated=maybe").await;
    assert_eq!(wrong.status, 422);
    assert_eq!(
        wrong.json()["detail"][1],
        json!({"type": "bool_parsing", "loc": ["query", "deprecated"],
            "msg": "Input should be a valid boolean, unable to interpret input",
            "input": "maybe"})
    );
}

#[tokio::test]
async fn every_name_leads_to_its_app() {
    let server = server().await;
    for (name, expected) in [
        ("sample", json!([{"slug": "sample", "kind": "slug"}])),
        ("SAMPLE", json!([{"slug": "sample", "kind": "slug"}])),
        ("Old-Sample", json!([{"slug": "sample", "kind": "former_token"}])),
        ("com.example.sample", json!([{"slug": "sample", "kind": "bundle_id"}])),
        ("sample%40beta", json!([{"slug": "sample@beta", "kind": "slug"}])),
    ] {
        let response = server.get(&format!("/aliases/{name}")).await;
        assert_eq!(response.json(), json!({ "matches": expected }), "{name}");
    }
    let unknown = server.get("/aliases/nobody").await;
    assert_eq!(unknown.status, 404);
    assert_eq!(unknown.json(), json!({"detail": "No app is known as 'nobody'"}));
    assert_eq!(unknown.header("x-error-code"), "name_not_found");
    assert_eq!(server.get("/aliases/sampl").await.status, 404, "only whole names");
    let no_route = server.get("/aliases").await;
    assert_eq!((no_route.status.as_u16(), no_route.header("x-error-code")), (404, ""));
}

#[tokio::test]
async fn an_unknown_slug_names_the_app_that_is_meant() {
    let server = server().await;
    for (path, link) in [
        ("/apps/old-sample", "</apps/sample>; rel=\"canonical\""),
        ("/apps/SAMPLE/drift", "</apps/sample/drift>; rel=\"canonical\""),
        ("/apps/com.example.Sample/details", "</apps/sample/details>; rel=\"canonical\""),
        ("/apps/nobody", ""),
    ] {
        let response = server.get(path).await;
        assert_eq!((response.status.as_u16(), response.header("link")), (404, link), "{path}");
        assert!(response.detail().starts_with("App with slug '"), "{path}");
    }
}

#[tokio::test]
async fn new_resources_are_cached_like_the_others() {
    let server = server().await;
    let etag = server.etag().await;
    for path in ["/apps/sample/details", "/aliases/old-sample", "/apps/drift?include=mdm_installer"]
    {
        let response = server.get(path).await;
        assert_eq!(response.header("etag"), etag, "{path}");
        assert!(response.header("cache-control").contains("max-age=300"), "{path}");
        let again = server.request(Method::GET, path).header("if-none-match", &etag);
        assert_eq!(server.send(again).await.status, 304, "{path}");
        let head = server.send(server.request(Method::HEAD, path)).await;
        assert_eq!((head.status.as_u16(), head.body.len()), (200, 0), "{path}");
        let post = server.send(server.request(Method::POST, path)).await;
        assert_eq!((post.status.as_u16(), post.header("allow")), (405, "GET,HEAD"), "{path}");
    }
}

#[tokio::test]
async fn a_new_variant_moves_the_token_and_survives_a_restart() {
    let server = server().await;
    let (before, etag) = (server.get("/apps/aging/details").await.json(), server.etag().await);
    assert_eq!(before["variants"], Value::Null);
    let record = json!({"app": {"slug": "mine", "name": "Mine", "sources": []}, "sources": null});
    assert_eq!(server.put_record(&record).await.status, 200);
    assert_ne!(server.etag().await, etag);
    let store = server.store();
    let other = TestServer::on_store(&store);
    assert_eq!(other.etag().await, server.etag().await);
    for path in ["/apps/sample/details", "/aliases/old-sample", "/apps?deprecated=true"] {
        assert_eq!(other.get(path).await.body, server.get(path).await.body, "{path}");
    }
}
