//! The web pages: headers, conditions, encodings, escaping, and what happens to odd requests.

use std::io::Read;

use reqwest::Method;
use serde_json::json;

use crate::support::{TestServer, ndjson, record};

const PAGES: [&str; 6] =
    ["/", "/?q=zoom", "/?q=zoom&page=2", "/about", "/drift", "/vendors?sort=apps"];

const CONTENT_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

/// The paths of the files that a page refers to.
fn assets(page: &str) -> Vec<String> {
    let starts = page.match_indices("\"/assets/").map(|(start, _)| &page[start + 1..]);
    starts.map(|rest| rest[..rest.find('"').unwrap()].to_owned()).collect()
}

#[tokio::test]
async fn pages_carry_their_policies_and_stay_small() {
    let server = TestServer::with_sample();
    for path in PAGES {
        let page = server.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        for (name, value) in [
            ("content-type", "text/html; charset=utf-8"),
            ("cache-control", "no-cache"),
            ("vary", "accept-encoding"),
            ("content-security-policy", CONTENT_POLICY),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "same-origin"),
            ("access-control-allow-origin", ""),
        ] {
            assert_eq!(page.header(name), value, "{path}: {name}");
        }
        assert!(page.body.len() <= 30_000, "{path}: {} bytes", page.body.len());
        let html = page.text();
        assert!(html.starts_with("<!doctype html>\n<html lang=\"en\">"), "{path}");
        assert_eq!(html.matches("<h1").count(), 1, "{path}");
        // The content security policy forbids all of these.
        for forbidden in [" style=", " onclick=", " onload=", "<style", "<script>", "javascript:"] {
            assert!(!html.contains(forbidden), "{path} has {forbidden}");
        }
        let mut weight = page.body.len();
        for asset in assets(html) {
            weight += server.get(&asset).await.body.len();
        }
        assert!(weight <= 100_000, "{path}: {weight} bytes with its style and script");
    }
}

#[tokio::test]
async fn a_page_is_sent_again_only_if_it_changed() {
    let server = TestServer::with_sample();
    for path in PAGES {
        let page = server.get(path).await;
        let tag = page.header("etag").to_owned();
        assert!(tag.starts_with("W/\"") && tag.ends_with('"'), "{path}: {tag}");
        let same = server.get_with(path, "if-none-match", &tag).await;
        assert_eq!((same.status.as_u16(), same.body.len()), (304, 0), "{path}");
        assert_eq!(same.header("etag"), tag, "{path}");
        assert_eq!(same.header("cache-control"), "no-cache", "{path}");
        let head = server.send(server.request(Method::HEAD, path)).await;
        assert_eq!((head.status.as_u16(), head.body.len()), (200, 0), "{path}");
        assert_eq!(head.header("content-length"), page.body.len().to_string(), "{path}");
        assert_eq!(head.header("etag"), tag, "{path}");
        let post = server.post(path).await;
        assert_eq!((post.status.as_u16(), post.header("allow")), (405, "GET,HEAD"), "{path}");
    }
    let before = server.get("/").await.header("etag").to_owned();
    let response = server.upload(&ndjson(&[record("newcomer")])).await;
    assert_eq!(response.status, 200, "{response:?}");
    let after = server.get_with("/", "if-none-match", &before).await;
    assert_eq!(after.status, 200, "the catalog changed");
    assert_ne!(after.header("etag"), before);
    assert!(after.text().contains("NEWCOMER"), "{}", after.text());
}

#[tokio::test]
async fn every_encoding_holds_the_same_page() {
    let server = TestServer::with_sample();
    let paths: Vec<String> = assets(server.get("/").await.text());
    for path in PAGES.into_iter().chain(paths.iter().map(String::as_str)) {
        let plain = server.get(path).await.body;
        for name in ["gzip", "br", "zstd"] {
            // The second time it is kept.
            for _ in 0..2 {
                let packed = server.get_with(path, "accept-encoding", name).await;
                assert_eq!(packed.header("content-encoding"), name, "{path}");
                assert!(packed.body.len() < plain.len() / 2, "{path} {name}");
                let mut unpacked = Vec::new();
                match name {
                    "gzip" => flate2::read::GzDecoder::new(&packed.body[..])
                        .read_to_end(&mut unpacked)
                        .unwrap(),
                    "zstd" => zstd::Decoder::new(&packed.body[..])
                        .unwrap()
                        .read_to_end(&mut unpacked)
                        .unwrap(),
                    _ => brotli::Decompressor::new(&packed.body[..], 4096)
                        .read_to_end(&mut unpacked)
                        .unwrap(),
                };
                assert_eq!(unpacked, plain, "{path} {name}");
            }
        }
    }
}

#[tokio::test]
async fn assets_are_kept_forever_under_the_hash_of_their_content() {
    let server = TestServer::with_sample();
    let page = server.get("/about").await;
    let assets = assets(page.text());
    assert_eq!(assets.len(), 2, "{assets:?}");
    for (path, kind) in
        assets.iter().zip(["text/css; charset=utf-8", "text/javascript; charset=utf-8"])
    {
        let asset = server.get(path).await;
        assert_eq!((asset.status.as_u16(), asset.header("content-type")), (200, kind), "{path}");
        assert_eq!(asset.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(asset.header("x-content-type-options"), "nosniff");
    }
    let script = server.get(&assets[1]).await;
    assert!(script.body.len() < 25_000, "{} bytes", script.body.len());
    for path in ["/assets/style.css", "/assets/style.000000000000.css", "/assets/x", "/assets"] {
        assert_eq!(server.get(path).await.status, 404, "{path}");
        assert!(!server.get(path).await.header("cache-control").contains("immutable"), "{path}");
    }
}

#[tokio::test]
async fn small_files_are_where_browsers_and_robots_look() {
    let server = TestServer::with_sample();
    for (path, kind, start) in [
        ("/favicon.svg", "image/svg+xml; charset=utf-8", "<svg "),
        ("/robots.txt", "text/plain; charset=utf-8", "User-agent: *\n"),
        ("/opensearch.xml", "application/opensearchdescription+xml", "<?xml "),
    ] {
        let file = server.get(path).await;
        assert_eq!((file.status.as_u16(), file.header("content-type")), (200, kind), "{path}");
        assert!(file.text().starts_with(start), "{path}: {}", file.text());
    }
    let search = server.get("/opensearch.xml").await;
    assert!(search.text().contains("/?q={searchTerms}"), "{}", search.text());
    let old = server.get("/favicon.ico").await;
    assert_eq!((old.status.as_u16(), old.header("location")), (307, "/favicon.svg"));
}

#[tokio::test]
async fn a_sitemap_lists_every_page_if_the_public_address_is_known() {
    let server = TestServer::with(&["--public-url", "https://apps.example"]);
    let robots = server.get("/robots.txt").await;
    assert!(robots.text().ends_with("\nSitemap: https://apps.example/sitemap.xml\n"), "{robots:?}");
    let sitemap = server.get("/sitemap.xml").await;
    assert_eq!(sitemap.header("content-type"), "application/xml; charset=utf-8");
    assert_eq!(server.get("/sitemap/1.xml").await.body, sitemap.body, "it has one part");
    let listed: Vec<&str> = sitemap
        .text()
        .split("<loc>https://apps.example")
        .skip(1)
        .map(|rest| &rest[..rest.find("</loc>").unwrap()])
        .collect();
    let slugs = server.get("/apps?limit=1000").await.slugs();
    for slug in &slugs {
        assert!(listed.contains(&format!("/a/{slug}").as_str()), "{slug} in {listed:?}");
    }
    assert!(listed.contains(&"/") && listed.contains(&"/vendors/Mozilla"), "{listed:?}");
    for path in &listed {
        assert_eq!(server.get_with(path, "accept", BROWSER).await.status, 200, "{path}");
    }
    let tag = sitemap.header("etag");
    assert_eq!(server.get_with("/sitemap.xml", "if-none-match", tag).await.status, 304);
    for path in ["0.xml", "2.xml", "-1.xml", "x.xml", "1", "99999999999999999999.xml", "%FF"] {
        assert_eq!(server.get(&format!("/sitemap/{path}")).await.status, 404, "{path}");
    }
    let unknown = TestServer::with_sample();
    assert_eq!(unknown.get("/sitemap.xml").await.status, 404, "whole addresses are required");
    assert!(!unknown.get("/robots.txt").await.text().contains("Sitemap"));
}

#[tokio::test]
async fn a_page_that_is_kept_is_the_page_that_was_made() {
    let server = TestServer::with_sample();
    for path in ["/", "/a/zoom", "/compare?slugs=zoom,firefoxpkg", "/drift", "/vendors"] {
        let made = server.get(path).await;
        for _ in 0..3 {
            let kept = server.get(path).await;
            assert_eq!(kept.header("etag"), made.header("etag"), "{path}");
            assert_eq!(kept.header("content-type"), made.header("content-type"), "{path}");
            assert_eq!(kept.body, made.body, "{path}");
        }
    }
    let before = server.get("/a/zoom").await;
    let mut record = record("zoom");
    record["app"]["current_version"] = json!("99.9");
    assert_eq!(server.upload(&ndjson(&[record])).await.status, 200);
    let after = server.get("/a/zoom").await;
    assert!(after.text().contains("99.9"), "a new revision has new pages");
    assert_ne!(after.header("etag"), before.header("etag"));
}

#[tokio::test]
async fn a_browser_gets_a_page_for_an_unknown_path_and_a_program_gets_json() {
    let server = TestServer::with_sample();
    for path in ["/nowhere", "/a/b/c/d", "/a/zoom/nothing", "/apps/x/y/z", "/%3Cscript%3E"] {
        let page = server.get_with(path, "accept", BROWSER).await;
        assert_eq!(page.status, 404, "{path}");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8", "{path}");
        assert_eq!(page.header("etag"), "", "{path}");
        assert!(page.text().contains("<h1>Page not found</h1>"), "{path}");
        assert!(!page.text().contains("<script>"), "{path}");
        for accept in ["*/*", "application/json", "text/html;q=0.5,application/json"] {
            let response = server.get_with(path, "accept", accept).await;
            assert_eq!(response.status, 404, "{path} with {accept}");
            assert_eq!(response.text(), r#"{"detail":"Not Found"}"#, "{path} with {accept}");
        }
    }
    // The interface answers browsers as it always did.
    let response = server.get_with("/apps/nobody", "accept", BROWSER).await;
    assert_eq!(response.header("content-type"), "application/json");
}

#[tokio::test]
async fn odd_queries_are_harmless() {
    let server = TestServer::with_sample();
    let long = format!("/?q={}", "a".repeat(5000));
    for path in [
        "/?q=",
        "/?q=%20%20",
        "/?q=%FF%00",
        "/?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
        "/?q=zoom&page=0",
        "/?q=zoom&page=-1",
        "/?q=zoom&page=99999999999999999999",
        "/?q=zoom&page=18446744073709551615",
        "/?page=x&unknown=1",
        "/?q=a&q=zoom",
        "/?%",
        long.as_str(),
    ] {
        let page = server.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(!page.text().contains("<script>"), "{path}");
        assert!(page.body.len() <= 30_000, "{path}: {} bytes", page.body.len());
    }
    let page = server.get("/?q=%22%3E%3Cb%3E").await;
    assert!(page.text().contains("value=\"&#34;&#62;&#60;b&#62;\""), "{}", page.text());
}

#[tokio::test]
async fn a_search_shows_what_matched_and_leads_to_its_pages() {
    let server = TestServer::with_sample();
    let page = server.get("/?q=BJ4HAAB9B3").await;
    let html = page.text();
    assert!(html.contains("href=\"/a/zoom\""), "{html}");
    assert!(html.contains("Found by Team ID <mark>BJ4HAAB9B3</mark>"), "{html}");
    assert!(html.contains("href=\"/search?q=BJ4HAAB9B3&#38;limit=20&#38;offset=0\""), "{html}");
    let page = server.get("/?q=nothing-has-this-name").await;
    assert!(page.text().contains("Nothing found"), "{}", page.text());
    let records: Vec<_> = (0..50).map(|number| record(&format!("many-{number:02}"))).collect();
    assert_eq!(server.upload(&ndjson(&records)).await.status, 200);
    let first = server.get("/?q=many").await;
    assert!(first.text().contains("href=\"/?q=many&#38;page=2\""), "{}", first.text());
    let last = server.get("/?q=many&page=3").await;
    assert!(last.text().contains("href=\"/?q=many&#38;page=2\""), "{}", last.text());
    assert!(!last.text().contains("rel=\"next\""), "{}", last.text());
}

#[tokio::test]
async fn markup_from_strangers_is_text() {
    let server = TestServer::empty();
    let markup = "\"'><script>alert(1)</script>";
    // Names and vendors may not hold markup at all; what is left of it is still escaped.
    let fields = ["name", "vendor", "current_version", "bundle_id"];
    let mut accepted = 0;
    for (number, field) in fields.into_iter().enumerate() {
        for (variant, value) in [markup, "a\"b'c & d", "x\" onmouseover=\"alert(1)", "{{ 7*7 }}"]
            .into_iter()
            .enumerate()
        {
            let mut record = record(&format!("hostile-{number}-{variant}"));
            record["app"][field] = json!(value);
            let response = server.put("/admin/records?allow_shrink=true", ndjson(&[record])).await;
            let is_accepted = response.status == 200;
            accepted += usize::from(is_accepted);
            for path in ["/", "/?q=hostile"] {
                let page = server.get(path).await;
                let html = page.text();
                assert_eq!(page.status, 200, "{path}");
                assert!(!html.contains("<script>"), "{field} {value}: {html}");
                assert!(!html.contains("\" onmouseover=\""), "{field} {value}: {html}");
                assert!(!html.contains("a\"b'c"), "{field} {value}: {html}");
                // Text that means something to a template is text as well.
                if is_accepted && path == "/?q=hostile" && field == "vendor" && variant == 3 {
                    assert!(html.contains("{{ 7*7 }}"), "{html}");
                }
            }
        }
    }
    assert!(accepted > 4, "too few records were accepted to prove anything: {accepted}");
}
