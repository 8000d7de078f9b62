//! The ranked search, over HTTP and as a tool.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Response, TestServer, record};

fn app(slug: &str, name: &str, vendor: &str, sources: &[&str]) -> Value {
    let mut record = record(slug);
    record["app"]["name"] = json!(name);
    record["app"]["vendor"] = json!(vendor);
    record["app"]["sources"] = json!(sources);
    record
}

async fn browsers() -> TestServer {
    let mut chrome = app("googlechrome", "Google Chrome", "Google", &["label_tool"]);
    chrome["app"]["bundle_id"] = json!("com.google.Chrome");
    chrome["app"]["expected_team_id"] = json!("EQHXZ8M8AV");
    chrome["sources"] = json!({
        "cask_catalog": {"token": "google-chrome", "entry_json":
            {"old_tokens": ["old-browser"], "name": ["Chromé Classique"],
             "artifacts": [{"app": ["Chrome Web.app"]}]}},
        "label_tool": {"label_name": "googlechrome", "label_url": "https://example.com/l.sh",
            "raw": {"name": "Chrome Label"}},
    });
    TestServer::with_records(&[
        chrome,
        app("chromedriver", "ChromeDriver", "Google", &["cask_catalog"]),
        app("firefox", "Firefox", "Mozilla", &["label_tool", "cask_catalog"]),
        app("photozoom", "PhotoZoom", "Benvista", &["label_tool", "cask_catalog"]),
        app("zoom", "Zoom", "Zoom", &["label_tool"]),
    ])
    .await
}

fn found(response: &Response) -> Vec<String> {
    assert_eq!(response.status, 200, "{response:?}");
    let page = response.json();
    let items = page["items"].as_array().unwrap();
    items.iter().map(|item| item["slug"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn better_matches_come_first_and_each_says_what_matches() {
    let server = browsers().await;
    assert_eq!(found(&server.get("/search?q=zoom").await), ["zoom", "photozoom"]);
    assert_eq!(found(&server.get("/search?q=chrome").await), ["googlechrome", "chromedriver"]);
    assert_eq!(found(&server.get("/search?q=chorme").await), ["googlechrome", "chromedriver"]);
    assert_eq!(found(&server.get("/search?q=fire%20fox").await), ["firefox"]);
    let page = server.get("/search?q=GOOGLE-chrome&limit=1").await.json();
    let app = server.get("/apps/googlechrome").await.json();
    let exact = json!([{"field": "name", "value": "Google Chrome", "tier": "exact"}]);
    let item = json!({"slug": "googlechrome", "tier": "exact", "matches": exact, "deprecated": false,
        "app": app});
    let first = json!({"total": 2, "limit": 1, "offset": 0, "items": [item], "did_you_mean": []});
    assert_eq!(page, first);
    for (query, field, value, tier) in [
        ("old browser", "former_token", "old-browser", "exact"),
        ("chrome classique", "other_name", "Chromé Classique", "exact"),
        ("Chrome Web", "other_name", "Chrome Web", "exact"),
        ("chrome label", "other_name", "Chrome Label", "exact"),
        ("com.google.chrome", "bundle_id", "com.google.Chrome", "exact"),
        ("eqhxz8m8av", "team_id", "EQHXZ8M8AV", "exact"),
        ("EQHX", "team_id", "EQHXZ8M8AV", "beginning"),
        ("lassiqu", "other_name", "Chromé Classique", "inside"),
        ("googel", "vendor", "Google", "typo"),
    ] {
        let page = server.get(&format!("/search?limit=1&q={query}")).await.json();
        let first = &page["items"][0];
        assert_eq!(first["slug"], "googlechrome", "{query}");
        assert_eq!(first["tier"], tier, "{query}");
        if query != "googel" {
            let matched = json!([{"field": field, "value": value, "tier": tier}]);
            assert_eq!(first["matches"], matched, "{query}");
        }
    }
    let page = server.get("/search?q=mozilla+firefox").await.json();
    let both = json!([
        {"field": "vendor", "value": "Mozilla", "tier": "words"},
        {"field": "name", "value": "Firefox", "tier": "words"},
    ]);
    assert_eq!(page["items"][0]["matches"], both);
}

#[tokio::test]
async fn filters_and_pages_apply_to_the_hits() {
    let server = browsers().await;
    assert_eq!(found(&server.get("/search?q=zoom&vendor=BENVISTA").await), ["photozoom"]);
    assert_eq!(found(&server.get("/search?q=zoom&source=cask_catalog").await), ["photozoom"]);
    for nothing in ["vendor=", "vendor=nobody", "source=store_listing"] {
        let page = server.get(&format!("/search?q=zoom&{nothing}")).await.json();
        let empty = json!({"total": 0, "limit": 20, "offset": 0, "items": [], "did_you_mean": []});
        assert_eq!(page, empty, "{nothing}");
    }
    let page = server.get("/search?q=x&q=chrome&limit=1&offset=1&other=1").await;
    assert_eq!(found(&page), ["chromedriver"], "the last one wins");
    assert_eq!(page.header("x-total-count"), "2");
    let link = page.header("link");
    assert!(link.contains("</search?q=chrome&limit=1&offset=0>; rel=\"prev\""), "{link}");
    assert!(found(&server.get("/search?q=zoom&offset=99999999999999999999").await).is_empty());
}

#[tokio::test]
async fn an_empty_search_offers_the_nearest_names() {
    let server = browsers().await;
    let page = server.get("/search?q=chromatic").await.json();
    let nearest = json!([{"slug": "googlechrome", "name": "Google Chrome"},
        {"slug": "chromedriver", "name": "ChromeDriver"}]);
    let empty = json!({"total": 0, "limit": 20, "offset": 0, "items": [], "did_you_mean": nearest});
    assert_eq!(page, empty);
    let request = server.request(Method::GET, "/?q=chromatic").header("accept", "text/html");
    let page = String::from_utf8(server.send(request).await.body).unwrap();
    assert!(page.contains(r#"Did you mean <a href="/a/googlechrome">Google Chrome</a>"#));
}

#[tokio::test]
async fn a_search_is_kept_under_the_token_of_the_catalog() {
    let server = browsers().await;
    let response = server.get("/search?q=zoom").await;
    assert_eq!(response.header("etag"), server.etag().await);
    assert!(response.header("cache-control").contains("max-age=300"));
    let request = server.request(Method::GET, "/search?q=zoom");
    let again = server.send(request.header("if-none-match", server.etag().await)).await;
    assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
    let head = server.send(server.request(Method::HEAD, "/search?q=zoom")).await;
    assert_eq!(head.header("content-length"), response.header("content-length"));
    assert_eq!(server.send(server.request(Method::POST, "/search?q=zoom")).await.status, 405);
    let bad = server.request(Method::GET, "/search").header("if-none-match", "*");
    assert_eq!(server.send(bad).await.status, 422, "an error is never up to date");
}

#[tokio::test]
async fn odd_queries_find_nothing_or_are_rejected() {
    let server = browsers().await;
    for query in [
        "",
        "%20",
        "%09%0A",
        "%00",
        "%",
        "%25",
        "%FF%FE",
        "%ED%A0%80",
        "-",
        "...",
        "%F0%9F%99%82",
        "%5E(a%2B)%2B%24",
        "%3Cscript%3Ealert(1)%3C/script%3E",
        "'%20OR%201=1--",
        "%2F..%2F..",
        "%E2%80%AE",
        "%CC%81%CC%81%CC%81",
    ] {
        let response = server.get(&format!("/search?q={query}")).await;
        assert_eq!(
            (response.status.as_u16(), &response.json()["total"]),
            (200, &json!(0)),
            "{query}"
        );
    }
    let words: Vec<String> = (0..40).map(|number| format!("a{number}")).collect();
    assert!(found(&server.get(&format!("/search?q={}", words.join("+"))).await).is_empty());
    assert!(found(&server.get(&format!("/search?q={}", "a".repeat(200))).await).is_empty());
    let missing = server.get("/search").await;
    assert_eq!(missing.status, 422);
    let fault =
        json!({"type": "missing", "loc": ["query", "q"], "msg": "Field required", "input": null});
    assert_eq!(missing.json(), json!({"detail": [fault]}));
    let long = server.get(&format!("/search?q={}", "a".repeat(10_000))).await;
    assert_eq!(long.status, 422);
    assert_eq!(long.json()["detail"][0]["type"], "string_too_long");
    assert_eq!(long.json()["detail"][0]["ctx"], json!({"max_length": 200}));
    let several = server.get("/search?limit=0&offset=x&source=homebrew").await.json();
    let faults = several["detail"].as_array().unwrap();
    let places: Vec<&Value> = faults.iter().map(|fault| &fault["loc"][1]).collect();
    assert_eq!(places, ["limit", "offset", "q", "source"]);
    assert_eq!(faults[3]["type"], "literal_error");
}

#[tokio::test]
async fn the_tool_returns_what_the_route_does() {
    let server = browsers().await;
    let call = async |arguments: Value| {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "find_app", "arguments": arguments}});
        let request = server.request(Method::POST, "/mcp").body(message.to_string());
        let request = request.header("content-type", "application/json");
        let request = request.header("accept", "application/json, text/event-stream");
        server.send(request).await.json()["result"].clone()
    };
    let result = call(json!({"query": "chrome"})).await;
    let route = server.get("/search?q=chrome&limit=10").await.json();
    assert_eq!(result["structuredContent"], route);
    let arguments =
        json!({"query": "zoom", "vendor": "benvista", "source": "label_tool", "limit": 1});
    let route = "/search?q=zoom&vendor=benvista&source=label_tool&limit=1";
    assert_eq!(call(arguments).await["structuredContent"], server.get(route).await.json());
    assert_eq!(call(json!({"query": ""})).await["structuredContent"]["total"], 0);
    let long = call(json!({"query": "a".repeat(201)})).await;
    assert_eq!(long["isError"], true);
    assert!(long["content"][0]["text"].as_str().unwrap().starts_with("query: "), "{long}");
}
