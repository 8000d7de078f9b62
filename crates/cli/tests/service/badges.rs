//! Badges: every kind, as a picture and for the Shields service, and what strangers put into them.

use reqwest::Method;
use serde_json::json;

use crate::support::{Response, TestServer, label_and_cask};

/// A server with apps whose sources agree, differ and cannot be compared.
async fn server() -> TestServer {
    let versioned = |slug: &str, version: &str| {
        let mut record = label_and_cask(slug, None, version, version);
        record["app"]["current_version"] = json!(version);
        record["app"]["name"] = json!("Sample App");
        record
    };
    let mut both = label_and_cask("both", None, "153.0", "154.0");
    both["app"]["current_version"] = json!("154.0");
    let mut cask_behind = label_and_cask("cask-behind", None, "11.30.6", "10.105.4");
    cask_behind["app"]["current_version"] = json!("11.30.6");
    both["sources"]["recipe_index"] = json!({"recipes": [
        {"identifier": "com.example.pkg.both", "repo": "example/recipes", "path": "Both.pkg.recipe"}]});
    TestServer::with_records(&[
        both,
        versioned("same", "154.0"),
        versioned("early", "0.9"),
        cask_behind,
        label_and_cask("newer", None, "2.0", "1.0"),
        label_and_cask("odd", None, "1.0", "2026-03-05"),
        json!({"app": {"slug": "bare", "name": "Bare", "sources": []}, "sources": null}),
        json!({"app": {"slug": "notepad++", "name": "R&D \"x\" <3 'y'", "current_version": "1.0",
            "sources": []}, "sources": null}),
    ])
    .await
}

/// What a badge says, read from the form for the Shields service: label, message, color.
async fn badge(server: &TestServer, path: &str) -> (String, String, String) {
    let (start, query) = path.split_once('?').unwrap_or((path, ""));
    let json = server.get(&format!("{start}.json?{query}")).await;
    assert_eq!(json.status, 200, "{path}");
    assert_eq!(json.header("content-type"), "application/json", "{path}");
    let badge = json.json();
    let text = |key: &str| badge[key].as_str().unwrap().to_owned();
    let (label, message, color) = (text("label"), text("message"), text("color"));
    assert_eq!((&badge["schemaVersion"], &badge["cacheSeconds"]), (&json!(1), &json!(300)));
    let svg = server.get(&format!("{start}.svg?{query}")).await;
    assert_is_picture(&svg, path);
    assert_eq!(svg.header("cache-control"), json.header("cache-control"), "{path}");
    (label, message, color)
}

fn assert_is_picture(svg: &Response, path: &str) {
    assert_eq!(svg.status, 200, "{path}");
    assert_eq!(svg.header("content-type"), "image/svg+xml;charset=utf-8", "{path}");
    assert_eq!(svg.header("x-content-type-options"), "nosniff", "{path}");
    let text = svg.text();
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>"), "{path}: {text}");
    for bad in ["<script", "<image", "href", "@import", "onload="] {
        assert!(!text.contains(bad), "{path}: {bad} in {text}");
    }
}

#[tokio::test]
async fn every_kind_tells_its_fact() {
    let server = server().await;
    for (path, message, color) in [
        ("/badge/version/same", "154.0", "blue"),
        ("/badge/version/early", "0.9", "orange"),
        ("/badge/version/bare", "no version", "lightgrey"),
        ("/badge/version/same?minversion=155", "154.0", "red"),
        ("/badge/version/same?minversion=154", "154.0", "blue"),
        ("/badge/version/same?minversion=", "154.0", "blue"),
        ("/badge/version/same?minversion=gamma", "minversion has no number", "lightgrey"),
        ("/badge/version/both/label_tool", "153.0", "orange"),
        ("/badge/version/both/cask_catalog", "154.0", "green"),
        ("/badge/version/both/mdm_installer", "no version", "lightgrey"),
        ("/badge/version/both/recipe_index", "no version", "lightgrey"),
        ("/badge/version/odd/label_tool", "1.0", "lightgrey"),
        ("/badge/drift/same", "in step", "green"),
        ("/badge/drift/both", "label behind", "orange"),
        ("/badge/drift/newer", "cask behind", "orange"),
        ("/badge/drift/odd", "differs", "lightgrey"),
        ("/badge/drift/bare", "not compared", "lightgrey"),
        ("/badge/sources/both", "3 of 5 sources", "blue"),
        ("/badge/sources/bare", "0 of 5 sources", "blue"),
        ("/badge/catalog", "8 apps", "blue"),
        ("/badge/fresh", "never refreshed", "lightgrey"),
        ("/badge/table/bare", "no version", "lightgrey"),
    ] {
        let badge = badge(&server, path).await;
        assert_eq!((badge.1.as_str(), badge.2.as_str()), (message, color), "{path}");
    }
    let table = badge(&server, "/badge/table/both").await;
    assert_eq!(table.1, "Installomator 153.0, Homebrew Cask 154.…", "in one line, cut");
    let table = server.get("/badge/table/both.svg").await;
    assert!(table.text().contains("height=\"80\""), "{}", table.text());
    for text in ["BOTH", "Installomator", "153.0", "Homebrew Cask", "AutoPkg", "1 recipe"] {
        assert!(table.text().contains(&format!(">{text}</text>")), "{text}: {}", table.text());
    }
    let table = server.get("/badge/table/both.svg?header=").await;
    assert!(table.text().contains("height=\"60\""), "{}", table.text());
    assert!(table.text().contains("<title>BOTH: ") && !table.text().contains(">BOTH</text>"));
    assert_eq!(badge(&server, "/badge/version/same").await.0, "Sample App");
    assert_eq!(badge(&server, "/badge/version/both/cask_catalog").await.0, "Homebrew Cask");
}

#[tokio::test]
async fn a_version_that_somebody_has_is_compared() {
    let server = server().await;
    for (have, message, color) in [
        ("154.0", "current", "green"),
        ("v154", "current", "green"),
        ("154.0%2B77", "current", "green"),
        ("153.0.3", "154.0 available", "orange"),
        ("155.0b3", "newer", "blue"),
        ("2026-03-05", "cannot compare", "lightgrey"),
        ("%F0%9F%A6%8A", "cannot compare", "lightgrey"),
        ("%3Csvg%20onload=alert(1)%3E", "cannot compare", "lightgrey"),
        ("%00", "cannot compare", "lightgrey"),
        ("%FF%FE", "cannot compare", "lightgrey"),
        ("999999999999999999999999999999999999999", "cannot compare", "lightgrey"),
    ] {
        let badge = badge(&server, &format!("/badge/current/same?have={have}")).await;
        assert_eq!((badge.1.as_str(), badge.2.as_str()), (message, color), "{have}");
    }
    for (have, message) in
        [("10.105.3", "11.30.6 available"), ("10.105.4", "current"), ("10.106", "cannot compare")]
    {
        let badge = badge(&server, &format!("/badge/current/cask-behind?have={have}")).await;
        assert_eq!(badge.1, message, "as the check of installed apps says: {have}");
    }
    assert_eq!(badge(&server, "/badge/current/bare?have=1").await.1, "no version");
    for query in ["", "have=", "have=%20"] {
        let badge = badge(&server, &format!("/badge/current/same?{query}")).await;
        assert_eq!((badge.1.as_str(), badge.2.as_str()), ("add ?have=VERSION", "lightgrey"));
    }
    let long = format!("/badge/current/same?have={}", "1.".repeat(200));
    assert_eq!(badge(&server, &long).await.1, "have is too long");
}

#[tokio::test]
async fn an_unknown_app_is_a_grey_badge_that_nobody_keeps() {
    let server = server().await;
    for path in [
        "/badge/version/nobody.svg",
        "/badge/version/nobody/cask_catalog.svg",
        "/badge/drift/nobody.svg",
        "/badge/current/nobody.svg?have=1",
        "/badge/sources/nobody.svg",
        "/badge/table/nobody.svg",
        "/badge/version/a%2Fb%00%FF.svg",
    ] {
        let response = server.get(path).await;
        assert_is_picture(&response, path);
        assert!(response.text().contains("<title>app: not found</title>"), "{path}");
        assert_eq!(response.header("cache-control"), "no-store", "{path}");
        assert_eq!(response.header("etag"), "", "{path}");
    }
    let json = server.get("/badge/version/nobody.json").await.json();
    assert_eq!((&json["isError"], &json["color"]), (&json!(true), &json!("lightgrey")));
    let unknown = server.get("/badge/version/same/homebrew.svg").await;
    assert!(unknown.text().contains("unknown source"), "{}", unknown.text());
    assert_eq!(unknown.header("cache-control"), "no-store");
    for path in
        ["/badge/version/same.png", "/badge/version/same", "/badge/x.svg", "/badge/x/same.svg"]
    {
        assert_eq!(server.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn a_badge_may_be_kept_for_five_minutes_and_is_asked_for_again_by_its_tag() {
    let server = server().await;
    let path = "/badge/version/same.svg";
    let response = server.get(path).await;
    assert_eq!(response.header("cache-control"), "public, max-age=300, s-maxage=300");
    let tag = response.header("etag").to_owned();
    assert!(tag.len() > 8, "{tag}");
    let again = server.get_with(path, "if-none-match", &tag).await;
    assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
    assert_eq!(again.header("etag"), tag);
    let other = server.get_with("/badge/version/early.svg", "if-none-match", &tag).await;
    assert_eq!(other.status, 200);
    // Another revision with the same badge has the same tag.
    let mut record = label_and_cask("same", Some("Somebody"), "1", "1");
    record["app"]["current_version"] = json!("154.0");
    record["app"]["name"] = json!("Sample App");
    assert!(server.put_record(&record).await.status.is_success());
    assert_eq!(server.get(path).await.header("etag"), tag);
    let head = server.send(server.request(Method::HEAD, path)).await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
    assert_eq!(server.post(path).await.status, 405);
}

#[tokio::test]
async fn texts_of_strangers_are_escaped_and_cut() {
    let server = server().await;
    let named = server.get("/badge/version/notepad%2B%2B.svg").await;
    assert_is_picture(&named, "hostile name");
    assert!(
        named.text().contains(">R&amp;D &quot;x&quot; &lt;3 &#39;y&#39;</text>"),
        "{}",
        named.text()
    );
    for (header, shown) in [
        ("%3Cscript%3Ealert(1)%3C/script%3E", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("a%22%20onload=%22x", "a&quot; onload=&quot;x"),
        ("%E2%80%AEevil", "\\u{202e}evil"),
        ("a%00b", "a\\u{0}b"),
        ("a%0Ab", "a\\nb"),
    ] {
        let svg = server.get(&format!("/badge/version/same.svg?header={header}")).await;
        let text = svg.text();
        assert!(text.contains(&format!(">{shown}</text>")), "{header}: {text}");
        assert!(!text.contains('\0') && !text.contains('\u{202e}') && !text.contains("<script"));
    }
    let long = server.get(&format!("/badge/version/same.json?header={}", "x".repeat(500))).await;
    assert_eq!(long.json()["label"].as_str().unwrap().chars().count(), 40);
    let none = server.get("/badge/version/same.svg?header=").await;
    assert!(none.text().contains("aria-label=\"154.0\""), "{}", none.text());
    assert_eq!(server.get("/badge/version/same.json?header=").await.json()["label"], "");
}

#[tokio::test]
async fn other_names_of_an_app_lead_to_its_badge() {
    let server = crate::details::server().await;
    assert_eq!(badge(&server, "/badge/version/old-sample").await.1, "2.0");
    assert_eq!(badge(&server, "/badge/version/COM.EXAMPLE.SAMPLE").await.1, "2.0");
    let fresh = badge(&server, "/badge/fresh").await;
    assert_eq!((fresh.0.as_str(), fresh.2.as_str()), ("oldest source", "green"));
}

#[tokio::test]
async fn pictures_are_well_formed() {
    let server = server().await;
    for path in [
        "/badge/version/notepad%2B%2B.svg",
        "/badge/table/both.svg",
        "/badge/version/nobody.svg?header=%26%3C%5D%5D%3E",
    ] {
        let response = server.get(path).await;
        let text = response.text();
        let opened = text.matches("<text").count() + text.matches("<rect").count();
        let closed = text.matches("</text>").count() + text.matches("/>").count();
        // Besides boxes there are two stops that close themselves.
        assert_eq!(opened + 2, closed, "{path}: {text}");
    }
}
