//! What a static edge answers in another way than a live server: what does not exist, and what it
//! cannot do.

use reqwest::Method;
use serde_json::json;

use crate::{
    exported::Exported,
    nginx::Nginx,
    service::support::{TestServer, record},
};

async fn edge() -> (TestServer, Exported, Nginx) {
    let live = TestServer::with_records(&[record("known")]).await;
    let exported = Exported::of_file(&live.store());
    exported.run().await;
    let nginx = Nginx::start(&exported.path());
    (live, exported, nginx)
}

#[tokio::test]
async fn unknown_names_are_reported_as_clients_expect_it() {
    let (live, _exported, edge) = edge().await;
    for (address, error) in [
        ("/apps/unknown", "app_not_found"),
        ("/apps/unknown/sources", "app_not_found"),
        ("/apps/unknown/feed.atom", "app_not_found"),
        ("/aliases/unknown", "name_not_found"),
        ("/unknown", ""),
        ("/apps/known/unknown", ""),
        ("/@own/x", ""),
        ("/manifest.json", ""),
        ("/apps/known/@index.json", ""),
        ("/badge/version/unknown.png", ""),
    ] {
        let (expected, found) = (live.get(address).await, edge.get(address).await);
        assert_eq!((found.status.as_u16(), expected.status.as_u16()), (404, 404), "{address}");
        assert_eq!(found.json(), expected.json(), "{address}");
        for name in ["content-type", "x-error-code", "etag", "cache-control"] {
            assert_eq!(found.header(name), expected.header(name), "{name} of {address}");
        }
        assert_eq!(found.header("x-error-code"), error, "{address}");
    }
    let conditional = edge.request(Method::GET, "/apps/unknown").header("if-none-match", "*");
    assert_eq!(edge.send(conditional).await.status, 404);
    // A name that would need escapes in JSON is not repeated.
    let odd = edge.get("/apps/%22%7D%0A").await;
    assert_eq!((odd.status.as_u16(), odd.json()), (404, json!({"detail": "Not Found"})));
    for address in ["/a/unknown", "/nothing/here", "/vendors/unknown"] {
        let browser = edge.request(Method::GET, address).header("accept", "text/html");
        let page = edge.send(browser).await;
        assert_eq!(page.status, 404, "{address}");
        assert!(page.text().contains("Page not found"), "{address}");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        assert!(page.header("content-security-policy").starts_with("default-src 'none'"));
    }
}

#[tokio::test]
async fn what_needs_a_live_server_is_never_answered_with_something_else() {
    let (_live, _exported, edge) = edge().await;
    for address in [
        "/apps?vendor=x",
        "/apps?limit=7",
        "/apps?limit=100&offset=100000",
        "/apps?limit=100&limit=5",
        "/apps?%76endor=x",
        "/apps/drift?include=mdm_installer",
        "/apps/known/drift?include=mdm_installer",
        "/apps/known/feed.atom?all=1",
        "/feed.json?all=1",
        "/changes?since=2026-01-01T00:00:00Z",
        "/changes?limit=1",
        "/?q=known",
        "/drift?vendor=x",
        "/vendors?letter=k",
        "/badge/version/known.svg?header=x",
        "/badge/current/known.svg?have=1",
        "/badge/fresh.svg",
        "/search?q=known",
        "/compare?slugs=known",
        "/check",
        "/versions/compare?a=1&b=2",
        "/health",
        "/metrics",
        "/mcp",
        "/admin/hooks",
    ] {
        let response = edge.get(address).await;
        assert_eq!(response.status, 501, "{address}");
        assert_eq!(response.header("cache-control"), "no-store", "{address}");
        assert!(response.detail().contains("needs a live server"), "{address}");
    }
    for path in ["/apps/known/generate-label", "/inventory/check"] {
        assert_eq!(edge.send(edge.request(Method::POST, path)).await.status, 501, "{path}");
    }
}

#[tokio::test]
async fn other_methods_redirects_and_preflights_are_those_of_a_live_server() {
    let (live, _exported, edge) = edge().await;
    for (method, address) in [
        (Method::POST, "/apps"),
        (Method::DELETE, "/apps/known"),
        (Method::GET, "/apps/"),
        (Method::GET, "/apps/known/?a=b"),
        (Method::GET, "/favicon.ico"),
        (Method::OPTIONS, "/apps/known"),
        (Method::OPTIONS, "/apps"),
    ] {
        let expected = live.send(live.request(method.clone(), address)).await;
        let found = edge.send(edge.request(method, address)).await;
        assert_eq!(found.status, expected.status, "{address}");
        for name in [
            "allow",
            "location",
            "access-control-allow-origin",
            "access-control-allow-methods",
            "access-control-allow-headers",
            "access-control-max-age",
        ] {
            assert_eq!(found.header(name), expected.header(name), "{name} of {address}");
        }
    }
}
