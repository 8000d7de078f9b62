//! `/check`: the form, its answer without a script, and lists that cannot be checked.

use reqwest::{
    Method,
    multipart::{Form, Part},
};
use serde_json::{Value, json};

use crate::support::{Response, TestServer, series};

async fn send(server: &TestServer, form: Form) -> Response {
    server.send(server.request(Method::POST, "/check").multipart(form)).await
}

async fn page(server: &TestServer, form: Form, status: u16) -> String {
    let response = send(server, form).await;
    assert_eq!(response.status, status, "{response:?}");
    for (name, value) in
        [("cache-control", "no-store"), ("x-content-type-options", "nosniff"), ("etag", "")]
    {
        assert_eq!(response.header(name), value, "{name}");
    }
    assert!(!response.html().contains("<img"));
    response.html().to_owned()
}

/// An app of the sample that can be compared.
async fn known(server: &TestServer) -> Value {
    let apps = server.get("/apps").await.json();
    let known = |app: &&Value| app["bundle_id"].is_string() && app["current_version"].is_string();
    apps.as_array().unwrap().iter().find(known).unwrap().clone()
}

/// Three installed apps: one is outdated, one is current, one is unknown.
async fn rows(server: &TestServer) -> String {
    let app = known(server).await;
    json!([
        {"host": "mac-2", "name": "=Nobody", "bundle_id": "com.example.nobody", "version": "1"},
        {"host": "mac-1", "name": app["name"], "bundle_id": app["bundle_id"], "version": app["current_version"]},
        {"host": "mac-1", "name": "Old One", "bundle_id": app["bundle_id"], "version": "0.0.1"},
    ])
    .to_string()
}

#[tokio::test]
async fn the_form_is_a_page_that_says_that_nothing_is_kept() {
    let server = TestServer::with_sample();
    let response = server.get("/check").await;
    assert_eq!((response.status.as_u16(), response.header("cache-control")), (200, "no-cache"));
    assert!(response.body.len() <= 30_000, "{} bytes", response.body.len());
    let html = response.text();
    assert!(html.contains("method=\"post\" enctype=\"multipart/form-data\""), "{html}");
    assert!(html.contains("never stored or logged"), "{html}");
    let tag = response.header("etag");
    assert_eq!(server.get_with("/check", "if-none-match", tag).await.status, 304);
    let put = server.send(server.request(Method::PUT, "/check")).await;
    assert_eq!(put.status, 405);
}

#[tokio::test]
async fn a_file_or_a_text_is_answered_with_verdicts() {
    let server = TestServer::with_sample();
    let list = rows(&server).await;
    let slug = known(&server).await["slug"].as_str().unwrap().to_owned();
    let file = Part::bytes(list.clone().into_bytes()).file_name("apps \"1\".json");
    let packed = zstd::bulk::compress(list.as_bytes(), 3).unwrap();
    for form in [
        Form::new().text("list", list.clone()),
        Form::new().part("file", file).text("list", "left from before"),
        Form::new().part("file", Part::bytes(packed).file_name("apps.zst")),
        Form::new().part("file", Part::bytes(Vec::new()).file_name("")).text("list", list.clone()),
    ] {
        let html = page(&server, form, 200).await;
        assert!(html.contains("Read 3 installed apps (JSON). 2 are in the catalog."), "{html}");
        for chip in [
            "<span class=\"badge-behind\">outdated</span> 1",
            "<span class=\"badge-ok\">current</span> 1",
        ] {
            assert!(html.contains(chip), "{chip} in {html}");
        }
        assert!(html.contains(&format!("href=\"/a/{slug}\"")), "{html}");
        assert!(!html.contains("</a>, <a"), "a line could begin with the comma: {html}");
        let place = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text} in {html}"));
        let (outdated, unknown) = (place("scope=\"row\">Old One"), place("scope=\"row\">=Nobody"));
        assert!(outdated < unknown, "what needs attention comes first");
    }
    let only = |verdict: &str, q: &str| {
        Form::new()
            .text("list", list.clone())
            .text("verdict", verdict.to_owned())
            .text("q", q.to_owned())
    };
    let count = |html: &str| html.matches("scope=\"row\"").count();
    for (verdict, q, expected) in [
        ("", "", 3),
        ("attention", "", 2),
        ("outdated", "", 1),
        ("", "NOBODY", 1),
        ("", "mac-1", 2),
        ("current", "nobody", 0),
    ] {
        let html = page(&server, only(verdict, q), 200).await;
        assert_eq!(count(&html), expected, "{verdict} {q}");
    }
}

#[tokio::test]
async fn verdicts_have_names_plain_reasons_and_an_order() {
    let server = TestServer::with_sample();
    let list = rows(&server).await;
    let app = known(&server).await;
    let form = |order: &str| Form::new().text("list", list.clone()).text("order", order.to_owned());
    let html = page(&server, form(""), 200).await;
    let (slug, name) = (app["slug"].as_str().unwrap(), app["name"].as_str().unwrap());
    for part in [
        &format!("<a href=\"/a/{slug}\">{name}</a>"),
        &format!("<a href=\"/a/{slug}#install\">Deploy</a>"),
        "class=\"muted\">Bundle ID not in the catalog</td>",
        "class=\"muted\">Older version; found by bundle ID</td>",
        // The list is there again, for another filter.
        "&#34;com.example.nobody&#34;",
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
    assert!(!html.contains("class=\"group\""), "{html}");
    let place =
        |html: &str, text: &str| html.find(text).unwrap_or_else(|| panic!("{text} in {html}"));
    let html = page(&server, form("mac"), 200).await;
    let first = place(&html, "mac-1 <span class=\"muted\">2 apps, 1 to look at</span>");
    let second = place(&html, "mac-2 <span class=\"muted\">1 app, 1 to look at</span>");
    assert!(first < place(&html, "scope=\"row\">Old One") && first < second);
    assert!(second < place(&html, "scope=\"row\">=Nobody"));
    let html = page(&server, form("name"), 200).await;
    assert!(place(&html, "scope=\"row\">=Nobody") < place(&html, "scope=\"row\">Old One"));
    page(&server, form("size"), 422).await;
}

#[tokio::test]
async fn a_deprecated_app_is_not_plain_green() {
    let server = crate::details::server().await;
    let app = server.get("/apps/aging").await.json();
    let row = |app: &Value| {
        json!([{"name": app["name"], "bundle_id": app["bundle_id"],
        "token": app["slug"], "version": app["current_version"]}])
    };
    let html = page(&server, Form::new().text("list", row(&app).to_string()), 200).await;
    assert!(html.contains("<span class=\"badge-bad\">deprecated</span>"), "{html}");
    assert!(html.contains("<th scope=\"col\">Deprecation</th>"), "{html}");
    let table = &html[html.find("<tbody>").unwrap()..];
    assert!(!table.contains("badge-ok"), "{table}");
    let request = server.request(Method::POST, "/inventory/check").body(row(&app).to_string());
    let report = server.send(request).await.json();
    assert_eq!(report["apps"][0]["deprecated"], json!(true), "{report}");
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("apps.json");
    std::fs::write(&list, row(&app).to_string()).unwrap();
    let (_, table, summary) = server.run(&["outdated", list.to_str().unwrap(), "--all"]);
    assert!(table.contains("deprecated") && summary.contains("; 1 is deprecated"), "{summary}");
    assert!(server.run(&["search", "aging"]).1.contains("deprecated"));
    let app = server.get("/apps/sample").await.json();
    let html = page(&server, Form::new().text("list", row(&app).to_string()), 200).await;
    assert!(!html.contains("badge-bad") && !html.contains(">Deprecation<"), "{html}");
}

#[tokio::test]
async fn the_csv_is_that_of_the_interface() {
    let server = TestServer::with_sample();
    let list = rows(&server).await;
    let form = Form::new().text("list", list.clone()).text("format", "csv");
    let csv = send(&server, form).await;
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(csv.header("content-disposition"), "attachment; filename=\"verdicts.csv\"");
    assert_eq!(csv.header("cache-control"), "no-store");
    let request = server.request(Method::POST, "/inventory/check?format=csv").body(list.clone());
    assert_eq!(csv.body, server.send(request).await.body);
    assert!(csv.text().contains("'=Nobody"), "{}", csv.text());
    let form = Form::new().text("list", list).text("format", "csv").text("verdict", "outdated");
    assert_eq!(send(&server, form).await.text().lines().count(), 2);
}

#[tokio::test]
async fn a_large_list_shows_what_matters_and_counts_the_rest() {
    let server = TestServer::with_sample();
    let app = known(&server).await;
    let mut list: Vec<Value> = (0..10_000)
        .map(|number| json!({"name": format!("Unknown <b>{number}</b> \"&'"), "bundle_id": format!("com.example.n{number}"), "version": "1"}))
        .collect();
    list.push(json!({"name": "The old one", "bundle_id": app["bundle_id"], "version": "0.0.1"}));
    let list = Value::Array(list).to_string();
    let html = page(&server, Form::new().text("list", list.clone()), 200).await;
    let shown = html.matches("scope=\"row\"").count();
    assert!(shown > 30, "{shown}");
    assert!(html.len() <= 30_000, "{} bytes", html.len());
    let first = html.find("scope=\"row\">").unwrap();
    assert!(html[first..].starts_with("scope=\"row\">The old one"), "{}", &html[first..first + 99]);
    assert!(html.contains(&format!("The first {shown} of 10,001 are shown")), "{html}");
    assert!(html.contains("&#60;b&#62;0"), "{html}");
    let csv = send(&server, Form::new().text("list", list).text("format", "csv")).await;
    assert_eq!(csv.text().lines().count(), 10_002);
}

#[tokio::test]
async fn what_cannot_be_checked_is_reported_on_the_page() {
    let server = TestServer::with_sample();
    let text = |list: &str| Form::new().text("list", list.to_owned());
    for (form, status, reason) in [
        (Form::new().text("q", "x"), 422, "The list is empty"),
        (text("  \n"), 422, "The list is empty"),
        (text(r#"{"message": "<script>alert(1)</script>"}"#), 422, "keys found"),
        (text("<!DOCTYPE a [<!ENTITY b \"c\">]><plist/>"), 422, "it declares entities"),
        (text(&"[".repeat(100_000)), 422, "recursion limit"),
        (text(&" ".repeat(17 << 20)), 413, "larger than 16777216 bytes"),
        (text("[]").text("verdict", "<script>"), 422, "is not a value of"),
        (text("[]").text("format", "xml"), 422, "is not a value of"),
        ((0..40).fold(Form::new(), |form, _| form.text("a", "b")), 422, "too many fields"),
    ] {
        let html = page(&server, form, status).await;
        assert!(html.contains("The list was not checked."), "{html}");
        assert!(html.contains(reason), "{reason} in {html}");
    }
    for (kind, body) in [
        ("text/plain", "[]"),
        ("application/x-www-form-urlencoded", "list=%5B%5D"),
        ("multipart/form-data", "--x--"),
        ("multipart/form-data; boundary=x", "--x\r\n"),
        ("multipart/form-data; boundary=x", ""),
    ] {
        let request = server.request(Method::POST, "/check").header("content-type", kind);
        let response = server.send(request.body(body)).await;
        assert_eq!(response.status, 422, "{kind}: {response:?}");
        assert!(response.text().contains("The list was not checked."), "{kind}");
    }
    let metrics = server.get("/metrics").await;
    let reserved = "appstitch_memory_reserved_bytes{use=\"inventories\"}";
    assert!(series(metrics.text(), reserved) < 1.0, "all is given back");
}
