//! The page of an app: what it shows, what it offers, and what strangers put into it.

use serde_json::{Value, json};

use crate::support::{Response, TestServer, label_and_cask, ndjson};

async fn page(server: &TestServer, path: &str) -> String {
    let response = server.get(path).await;
    assert_is_page(&response, path);
    assert_eq!(response.status, 200, "{path}");
    response.text().to_owned()
}

fn assert_is_page(response: &Response, path: &str) {
    let html = response.html();
    for bad in ["javascript:", " onclick=", " onerror="] {
        assert!(!html.contains(bad), "{path}: {bad}");
    }
}

fn assert_has(page: &str, parts: &[&str]) {
    for part in parts {
        assert!(page.contains(part), "{part} is missing in {page}");
    }
}

/// A record with everything that a page can show.
fn whole() -> Value {
    let mut record = label_and_cask("sample", Some("Example & Co"), "1.9", "2.0");
    let app = &mut record["app"];
    app["name"] = json!("Sample");
    app["current_version"] = json!("2.0");
    app["bundle_id"] = json!("com.example.sample");
    app["download_url"] = json!("https://example.com/Sample 2.0.dmg?a=b&c=d");
    app["install_method"] = json!("dmg");
    app["expected_team_id"] = json!("ABCDE12345");
    app["sha256"] = json!("0123456789abcdef".repeat(4));
    app["sources"] = json!(["label_tool", "cask_catalog", "recipe_index"]);
    record["sources"]["cask_catalog"]["entry_json"] = json!({"token": "sample", "version": "2.0",
        "desc": "Shows samples", "homepage": "https://example.com/", "auto_updates": true,
        "artifacts": [{"app": ["Sample.app"]}], "url": "https://example.com/Sample-2.0.dmg"});
    record["sources"]["recipe_index"] = json!({"recipes": [{
        "identifier": "com.example.munki.sample", "repo": "example/recipes",
        "path": "Sample/Sample.munki.recipe", "inferred_type": "munki",
        "recipe_url": "https://github.com/example/recipes/blob/main/Sample.munki.recipe"}]});
    record
}

#[tokio::test]
async fn a_page_shows_the_app_and_every_source() {
    let server = TestServer::with_records(&[whole()]).await;
    let page = page(&server, "/a/sample").await;
    assert_has(
        &page,
        &[
            "<title>Sample 2.0 · appstitch</title>",
            "<link rel=\"alternate\" href=\"/apps/sample\" type=\"application/json\"",
            "<link rel=\"alternate\" href=\"/apps/sample/feed.atom\"",
            "href=\"/vendors/Example%20%26%20Co\">Example &#38; Co</a>",
            "Shows samples",
            "<a class=\"badge-behind\" href=\"#sources\">Installomator behind</a>",
            "<strong>Installomator</strong> is behind by a major version: it has <span class=\"version\">1.9</span>, Homebrew Cask has <span class=\"version\">2.0</span>",
            "<meta property=\"og:title\" content=\"Sample 2.0\">",
            "<code>ABCDE12345</code>",
            "<code>com.example.sample</code>",
            ">Installomator</th>",
            ">Homebrew Cask</th>",
            ">AutoPkg</th>",
            "<span class=\"version\">1.9</span>",
            "<span class=\"badge-behind\">behind</span>",
            "<span class=\"badge-ok\">newest</span>",
            "brew install --cask sample",
            "autopkg repo-add example/recipes\nautopkg run -v com.example.munki.sample",
            "WHERE bundle_identifier = &#39;com.example.sample&#39;",
            "curl -fL -o sample.dmg &#39;https://example.com/Sample%202.0.dmg?a=b&#38;c=d&#39;",
            "/a/sample/label.sh",
            "Where each value comes from",
            "/badge/version/sample.svg",
            "https://img.shields.io/endpoint?url=https%3A%2F%2Fyour-server%2Fbadge",
            "curl -s https://your-server/apps/sample",
            "https://github.com/Installomator/Installomator/issues/new?title=sample%3A%20has%201.9",
            "https://github.com/Homebrew/homebrew-cask/issues/new?",
            "https://github.com/example/recipes/issues/new?",
        ],
    );
    let report = page.find("id=\"report\"").unwrap();
    let (label, cask) =
        (page[report..].find("Installomator: "), page[report..].find("Homebrew Cask: "));
    assert!(label < cask, "the source that is behind comes first");
}

#[tokio::test]
async fn a_public_address_stands_in_every_snippet() {
    let server = TestServer::with(&["--public-url", "https://apps.example"]);
    let slug = server.get("/apps?limit=1").await.slugs().remove(0);
    let page = page(&server, &format!("/a/{slug}")).await;
    assert!(!page.contains("your-server"), "{page}");
    assert_has(
        &page,
        &[
            &format!("curl -s https://apps.example/apps/{slug}"),
            &format!("](https://apps.example/a/{slug})"),
            "https%3A%2F%2Fapps.example%2Fbadge",
            &format!("property=\"og:url\" content=\"https://apps.example/a/{slug}\""),
        ],
    );
    let server = TestServer::with_sample();
    let page = self::page(&server, &format!("/a/{slug}")).await;
    assert!(!page.contains("og:url"), "a path is no address: {page}");
}

#[tokio::test]
async fn variants_that_are_not_listed_can_be_searched() {
    let cask = |number: usize| {
        let token = if number == 0 { "sample".to_owned() } else { format!("sample@{number}") };
        json!({"token": token, "name": ["Sample"], "version": format!("{number}.0"),
            "url": format!("https://example.com/Sample-{number}.dmg"),
            "artifacts": [{"app": ["Sample.app"]}]})
    };
    let casks: Vec<Value> = (0..20).map(cask).collect();
    let server = TestServer::empty();
    let response = server.put("/admin/sources/cask_catalog", json!(casks).to_string()).await;
    assert_eq!(response.status, 200, "{response:?}");
    let page = page(&server, "/a/sample").await;
    let more = "5 more: <a href=\"/?q=Sample\">search for them</a>, \
                or see them <a href=\"/apps/sample/details\">as JSON</a>";
    assert_has(&page, &[more]);
}

#[tokio::test]
async fn a_long_public_address_and_long_lists_make_no_long_page() {
    let address = format!("https://apps.example/{}", "a".repeat(479));
    let server = TestServer::with(&["--public-url", &address]);
    let mut record = whole();
    record["sources"]["recipe_index"]["recipes"] = (0..200)
        .map(|number| {
            let repository = format!("example-{}/recipes-{number:03}", "r".repeat(60));
            json!({"identifier": format!("com.example.{}.{number:03}", "i".repeat(80)),
                "repo": repository, "path": "p", "inferred_type": "pkg",
                "recipe_url": format!("https://github.com/{repository}/{}", "u".repeat(300))})
        })
        .collect();
    let response = server.upload(&ndjson(&[record])).await;
    assert_eq!(response.status, 200, "{response:?}");
    let text = page(&server, "/a/sample").await;
    assert_has(&text, &[&address, "more as JSON", "/badge/version/sample.svg", "id=\"report\""]);
    for slug in server.get("/apps?limit=1000").await.slugs() {
        page(&server, &format!("/a/{slug}")).await;
    }
}

#[tokio::test]
async fn every_page_of_the_sample_is_there_and_small() {
    let server = TestServer::with_sample();
    for slug in server.get("/apps?limit=1000").await.slugs() {
        let text = page(&server, &format!("/a/{slug}")).await;
        assert_has(&text, &["id=\"sources\"", "id=\"badges\"", "id=\"api\""]);
    }
}

#[tokio::test]
async fn markup_and_shell_in_records_stay_text() {
    let mut record = label_and_cask("evil", Some("AT&T \"<3\" 'x'"), "1", "1");
    record["app"]["name"] = json!("a\" onload='x' <3 & b");
    record["app"]["current_version"] = json!("1.0'\"<3");
    record["app"]["bundle_id"] = json!("a'; DROP TABLE apps; --");
    record["sources"]["cask_catalog"] = json!({"token": "x; rm -rf ~ '#{1}", "entry_json": {
        "version": "1", "desc": "</p><script>alert(1)</script>",
        "homepage": "javascript:alert(1)", "artifacts": [{"app": ["<b>.app"]}]}});
    record["sources"]["recipe_index"] = json!({"recipes": [{
        "identifier": "a; touch x &", "repo": "../../evil?x", "path": "p",
        "inferred_type": "&lt;", "recipe_url": "javascript:alert(1)"}]});
    let server = TestServer::with_records(&[record]).await;
    let page = page(&server, "/a/evil").await;
    for bad in ["<script>", "<b>", "evil?x/issues", "onload='", "a\" onload"] {
        assert!(!page.contains(bad), "{bad} in {page}");
    }
    assert_has(
        &page,
        &[
            "<h1>a&#34; onload=&#39;x&#39; &#60;3 &#38; b ",
            "brew install --cask &#39;x; rm -rf ~ &#39;\\&#39;&#39;#{1}&#39;",
            "autopkg run -v &#39;a; touch x &#38;&#39;",
            "WHERE bundle_identifier = &#39;a&#39;&#39;; DROP TABLE apps; --&#39;;",
        ],
    );
    let brewfile = server.get("/a/evil/Brewfile").await;
    assert_eq!(brewfile.text(), "cask \"x; rm -rf ~ '\\#{1}\"\n");
}

#[tokio::test]
async fn files_are_saved_as_they_are_shown() {
    let server = TestServer::with_records(&[whole()]).await;
    let label = server.get("/a/sample/label.sh").await;
    assert_eq!(label.header("content-type"), "text/x-shellscript; charset=utf-8");
    assert_eq!(label.header("content-disposition"), "attachment");
    let generated = server
        .send(
            server
                .request(reqwest::Method::POST, "/apps/sample/generate-label")
                .header("accept", "text/x-shellscript"),
        )
        .await;
    assert_eq!(label.text(), generated.text());
    assert_eq!(server.get("/a/sample/Brewfile").await.text(), "cask \"sample\"\n");
    let query = server.get("/a/sample/query.sql").await;
    assert!(query.text().ends_with("WHERE bundle_identifier = 'com.example.sample';\n"));
    for path in ["/a/sample/other.txt", "/a/nobody/label.sh", "/a/sample/label.sh/x"] {
        assert_eq!(server.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn deprecated_apps_and_variants_lead_on() {
    let server = crate::details::server().await;
    let aging = page(&server, "/a/aging").await;
    assert_has(
        &aging,
        &[
            "<strong>Homebrew deprecated this app</strong> on <time datetime=\"2026-01-02\">",
            "it is no longer maintained",
            "Use <a href=\"/a/sample\">sample</a> instead",
        ],
    );
    let sample = page(&server, "/a/sample").await;
    assert_has(
        &sample,
        &[
            "href=\"/a/sample%40beta\">Sample Beta</a>",
            "<code>old-sample</code> <span class=\"muted\">former cask</span>",
            "/compare?slugs=sample,sample%40beta",
            "macOS 13 or newer",
            "The app updates itself",
        ],
    );
}

#[tokio::test]
async fn other_names_redirect_and_unknown_ones_are_searched() {
    let server = crate::details::server().await;
    for name in ["old-sample", "SAMPLE", "com.example.sample"] {
        let response = server.get(&format!("/a/{name}")).await;
        assert_eq!(
            (response.status.as_u16(), response.header("location")),
            (307, "/a/sample"),
            "{name}"
        );
    }
    let unknown = server.get("/a/sampel%3Cscript%3E").await;
    assert_eq!(unknown.status, 404);
    assert_is_page(&unknown, "/a/sampel");
    assert!(!unknown.text().contains("<script>"), "{}", unknown.text());
    let close = server.get("/a/sampel").await;
    assert_has(close.text(), &["App not found", "href=\"/a/sample\""]);
}

#[tokio::test]
async fn history_is_a_list_and_a_plot() {
    let server = TestServer::empty();
    for version in ["1.0", "1.1", "2.0"] {
        let record = json!({"app": {"slug": "a", "name": "A", "current_version": version,
            "sources": []}, "sources": null});
        assert_eq!(server.upload(&record.to_string()).await.status, 200);
    }
    let page = page(&server, "/a/a").await;
    let history = &page[page.find("id=\"history\"").unwrap()..];
    let history = &history[..history.find("</section>").unwrap()];
    assert_has(
        history,
        &["<svg class=\"chart", "<circle", "<span class=\"badge-ok\">current</span>"],
    );
    let place = |version| history.find(&format!("<span class=\"version\">{version}</span>"));
    let places: Vec<_> = ["2.0", "1.1", "1.0"].map(place).into();
    assert!(places.is_sorted() && places.iter().all(Option::is_some), "{places:?}");
}

#[tokio::test]
async fn a_page_is_asked_for_again_by_its_tag() {
    let server = TestServer::with_records(&[whole()]).await;
    let first = server.get("/a/sample").await;
    assert_eq!(first.header("cache-control"), "no-cache");
    let tag = first.header("etag").to_owned();
    assert_eq!(server.get_with("/a/sample", "if-none-match", &tag).await.status, 304);
    let mut other = whole();
    other["app"]["current_version"] = json!("3.0");
    assert_eq!(server.upload(&other.to_string()).await.status, 200);
    assert_eq!(server.get_with("/a/sample", "if-none-match", &tag).await.status, 200);
}
