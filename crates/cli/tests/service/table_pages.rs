//! The pages of drift, vendors and changes: filters, orders, paging, bad addresses, and a hostile
//! catalog.

use serde_json::{Value, json};

use crate::support::{Response, TestServer, label_and_cask, ndjson, record};

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

async fn page(server: &TestServer, path: &str, status: u16) -> String {
    let response = server.get_with(path, "accept", BROWSER).await;
    assert_eq!(response.status, status, "{path}: {response:?}");
    response.html().to_owned()
}

/// The apps of the rows, in order: the texts of their headings.
fn rows(html: &str) -> Vec<String> {
    let links = html.split("<th scope=\"row\"><a ").skip(1);
    links
        .map(|link| link[link.find('>').unwrap() + 1..link.find("</a>").unwrap()].to_owned())
        .collect()
}

async fn drifting() -> TestServer {
    TestServer::with_records(&[
        label_and_cask("agrees", Some("Acme"), "4.32", "4.32.0"),
        label_and_cask("behind", Some("Acme"), "1.9", "1.10"),
        label_and_cask("ahead", Some("acme"), "3.1", "2.0"),
        label_and_cask("dated", None, "2026-03-05", "1.0"),
        label_and_cask("zeta", Some("Zed & Co"), "1.0.1", "1.0.2"),
        record("bare"),
    ])
    .await
}

#[tokio::test]
async fn drift_is_sorted_filtered_and_marked() {
    let server = drifting().await;
    let html = page(&server, "/drift", 200).await;
    assert!(html.contains("5 apps have a version in two sources. In 4 they disagree."), "{html}");
    assert_eq!(rows(&html), ["AHEAD", "BEHIND", "ZETA", "DATED"], "who is farthest behind first");
    let cells = "<span class=\"version\">1.9</span> <span class=\"badge-behind\">behind</span></td><td data-label=\"Homebrew Cask\"><span class=\"version\">1.10</span> <span class=\"badge-ok\">newest</span>";
    assert!(html.contains(cells), "{html}");
    assert!(html.contains(
        "<span class=\"version\">2026-03-05</span> <span class=\"badge-neutral\">cannot compare"
    ));
    assert!(html.contains("Installomator: behind in 2 apps, newest in 1"), "{html}");
    assert!(html.contains("<a href=\"/drift?laggard=unknown\">1 app</a>"), "{html}");
    for link in ["/drift/feed.atom", "/apps/drift?limit=50&#38;offset=0", "/drift.csv"] {
        assert!(html.contains(&format!("href=\"{link}\"")), "{link}");
    }
    for (query, expected) in [
        ("sort=-name", &["ZETA", "DATED", "BEHIND", "AHEAD"][..]),
        ("sort=name", &["AHEAD", "BEHIND", "DATED", "ZETA"]),
        ("sort=gap", &["AHEAD", "BEHIND", "ZETA", "DATED"]),
        ("sort=vendor&q=&vendor=&laggard=", &["AHEAD", "BEHIND", "ZETA", "DATED"]),
        ("laggard=label_tool", &["BEHIND", "ZETA"]),
        ("laggard=unknown", &["DATED"]),
        ("leader=label_tool", &["AHEAD"]),
        ("vendor=ACME", &["AHEAD", "BEHIND"]),
        ("vendor=zed+%26+co", &["ZETA"]),
        ("q=ZE", &["ZETA"]),
        ("q=acme&laggard=cask_catalog", &["AHEAD"]),
        ("q=nothing-has-this", &[]),
        ("page=99", &["AHEAD", "BEHIND", "ZETA", "DATED"]),
        ("include=mdm_installer,store_listing", &["AHEAD", "BEHIND", "ZETA", "DATED"]),
        ("include=mdm_installer&source=mdm_installer", &[]),
    ] {
        let html = page(&server, &format!("/drift?{query}"), 200).await;
        assert_eq!(rows(&html), expected, "{query}");
    }
    let json = "This page as JSON";
    for query in ["q=ze", "laggard=label_tool", "laggard=unknown", "leader=label_tool"] {
        let html = page(&server, &format!("/drift?{query}"), 200).await;
        assert!(!html.contains(json), "{query}: the JSON has other apps: {html}");
    }
    let sorted = page(&server, "/drift?vendor=acme&sort=gap", 200).await;
    assert!(sorted.contains(json), "{sorted}");
    assert!(sorted.contains("aria-sort=\"ascending\"><a class=\"sort\" href=\"/drift?vendor=acme&#38;sort=-gap\">Behind by"), "{sorted}");
    assert!(sorted.contains("name=\"vendor\" value=\"acme\""), "a filter keeps the vendor");
    let sorted = page(&server, "/drift?sort=name", 200).await;
    assert!(sorted.contains("name=\"sort\" value=\"name\""), "a filter keeps the order");
}

#[tokio::test]
async fn drift_is_paged_and_the_csv_has_all() {
    let records: Vec<Value> = (0..120)
        .map(|number| label_and_cask(&format!("app-{number:03}x"), Some("Acme"), "1.0", "2.0"))
        .collect();
    let server = TestServer::with_records(&records).await;
    let first = page(&server, "/drift?q=app", 200).await;
    assert_eq!(rows(&first).len(), 50);
    assert!(first.contains("href=\"/drift?q=app&#38;page=2\" rel=\"next\""), "{first}");
    let last = page(&server, "/drift?page=3", 200).await;
    assert_eq!((rows(&last).len(), rows(&last)[0].as_str()), (20, "APP-100X"));
    assert!(last.contains("href=\"/drift?page=2\" rel=\"prev\"") && !last.contains("rel=\"next\""));
    let csv = server.get("/drift.csv?q=app&sort=-name&page=3").await;
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(csv.header("content-disposition"), "attachment; filename=\"drift.csv\"");
    assert_eq!(csv.header("x-content-type-options"), "nosniff");
    let lines: Vec<&str> = csv.text().lines().collect();
    assert_eq!(lines.len(), 121);
    assert!(lines[0].starts_with("slug,name,vendor,label_tool,cask_catalog,"), "{}", lines[0]);
    assert!(
        lines[1].starts_with("app-119x,APP-119X,Acme,1.0,2.0,,,cask_catalog,label_tool,major,")
    );
    let tag = csv.header("etag");
    assert_eq!(server.get_with("/drift.csv?q=app", "if-none-match", tag).await.status, 304);
}

#[tokio::test]
async fn what_an_address_cannot_ask_for_is_reported() {
    let server = drifting().await;
    for path in [
        "/apps?source=brew",
        "/apps?deprecated=maybe",
        "/apps?drift=no",
        "/apps?version=1",
        "/apps?page=0",
        "/drift?sort=size",
        "/drift?laggard=brew",
        "/drift?leader=store_listing",
        "/drift?source=%3Cscript%3E",
        "/drift?include=recipe_index",
        "/drift?page=0",
        "/drift?page=-1",
        "/drift.csv?sort=size",
        "/vendors?letter=ab",
        "/vendors?sort=size",
        "/vendors?sort=--apps",
        "/vendors.csv?letter=ab",
        "/changes.csv?kind=new",
        "/vendors?page=x",
        "/vendors/acme?page=x",
        "/changes?kind=new",
        "/changes?field=versions",
        "/changes?before=x",
    ] {
        let html = page(&server, path, 422).await;
        assert!(html.contains("is not a value of"), "{path}: {html}");
    }
    assert!(page(&server, "/changes?since=tomorrow", 400).await.contains("tomorrow"));
    assert!(page(&server, "/changes?since=deadbeef-1", 410).await.contains("deadbeef-1"));
    assert!(page(&server, "/changes.csv?since=tomorrow", 400).await.contains("tomorrow"));
    let long = format!("/drift?q={}&vendor={}", "%F0%9F%A6%8A".repeat(500), "%00".repeat(500));
    for path in [long.as_str(), "/drift?q=%FF%00&sort", "/vendors?q=%00%22", "/changes?slug=%FF"] {
        page(&server, path, 200).await;
    }
}

#[tokio::test]
async fn vendors_are_listed_by_letter_search_and_count() {
    let server = drifting().await;
    let html = page(&server, "/vendors", 200).await;
    assert_eq!(rows(&html).len(), 2, "spellings that differ in case are one vendor");
    assert!(html.contains("2 vendors"), "{html}");
    assert!(html.contains("href=\"/vendors?letter=z\">Z</a>") && !html.contains("letter=b"));
    assert!(
        html.contains("<td class=\"number\">3</td><td class=\"number\"><a href=\"/apps?vendor=")
    );
    for (query, count) in
        [("letter=Z", 1), ("letter=b", 0), ("letter=0", 0), ("q=CM", 1), ("q=x", 0)]
    {
        assert_eq!(
            rows(&page(&server, &format!("/vendors?{query}"), 200).await).len(),
            count,
            "{query}"
        );
    }
    let many: Vec<Value> = (0..250)
        .map(|number| {
            let mut record = record(&format!("app-{number}"));
            record["app"]["vendor"] = json!(format!("Vendor {:03}", number / 2 * 2));
            record
        })
        .collect();
    server.replace_records(&many).await;
    let html = page(&server, "/vendors", 200).await;
    assert_eq!(rows(&html).len(), 100);
    assert!(html.contains("href=\"/vendors?page=2\" rel=\"next\""), "{html}");
    let html = page(&server, "/vendors?sort=apps&page=2", 200).await;
    assert_eq!(rows(&html).len(), 25);
    assert!(
        html.contains(
            "aria-sort=\"descending\"><a class=\"sort\" href=\"/vendors?sort=-apps\">Apps"
        )
    );
    let csv = server.get("/vendors.csv?sort=-apps&page=2").await;
    assert_eq!(csv.header("content-disposition"), "attachment; filename=\"vendors.csv\"");
    let lines: Vec<&str> = csv.text().lines().collect();
    assert_eq!(lines.len(), 126, "all vendors, whatever the page");
    assert_eq!((lines[0], lines[1]), ("vendor,apps,drifting", "Vendor 248,2,0"));
}

#[tokio::test]
async fn columns_of_vendors_turn_around() {
    let server = drifting().await;
    for (query, expected, sorted) in [
        ("", ["Acme", "Zed &#38; Co"], "descending\"><a class=\"sort\" href=\"/vendors?sort=-apps"),
        (
            "?sort=name",
            ["Acme", "Zed &#38; Co"],
            "ascending\"><a class=\"sort\" href=\"/vendors?sort=-name",
        ),
        (
            "?sort=-name",
            ["Zed &#38; Co", "Acme"],
            "descending\"><a class=\"sort\" href=\"/vendors?sort=name\"",
        ),
        (
            "?sort=apps",
            ["Acme", "Zed &#38; Co"],
            "descending\"><a class=\"sort\" href=\"/vendors?sort=-apps",
        ),
        (
            "?sort=-apps",
            ["Zed &#38; Co", "Acme"],
            "ascending\"><a class=\"sort\" href=\"/vendors\"",
        ),
        (
            "?sort=-drift",
            ["Zed &#38; Co", "Acme"],
            "ascending\"><a class=\"sort\" href=\"/vendors?sort=drift",
        ),
    ] {
        let html = page(&server, &format!("/vendors{query}"), 200).await;
        let names: Vec<String> =
            rows(&html).iter().map(|name| name.replace("acme", "Acme")).collect();
        assert_eq!(names, expected, "{query}");
        assert!(html.contains(&format!("aria-sort=\"{sorted}")), "{query}: {html}");
    }
    let csv = server.get("/vendors.csv?q=zed").await;
    assert_eq!(csv.text(), "vendor,apps,drifting\r\nZed & Co,1,1\r\n");
}

#[tokio::test]
async fn apps_with_the_same_name_show_their_slugs() {
    let mut records = [
        label_and_cask("onedrive", None, "1.0", "2.0"),
        label_and_cask("onedrive-pkg", None, "1.0", "2.0"),
        label_and_cask("other", None, "1.0", "2.0"),
    ];
    for record in &mut records[..2] {
        record["app"]["name"] = json!("OneDrive");
    }
    let server = TestServer::with_records(&records).await;
    for path in ["/drift", "/compare?sources=label_tool,cask_catalog"] {
        let html = page(&server, path, 200).await;
        for slug in ["onedrive", "onedrive-pkg"] {
            assert!(
                html.contains(&format!("<code class=\"muted\">{slug}</code>")),
                "{path}: {html}"
            );
        }
        assert!(!html.contains("<code class=\"muted\">other</code>"), "{path}");
    }
    let html = page(&server, "/compare?slugs=onedrive,onedrive-pkg", 200).await;
    assert!(html.contains("<h1>OneDrive (onedrive) and OneDrive (onedrive-pkg)</h1>"), "{html}");
    assert!(html.contains("2 apps side by side"), "{html}");
}

#[tokio::test]
async fn a_vendor_has_a_page_whatever_its_case_and_its_feeds_still_work() {
    let server = drifting().await;
    let html = page(&server, "/vendors/ACME", 200).await;
    assert_eq!(rows(&html), ["AGREES", "AHEAD", "BEHIND"]);
    assert!(
        html.contains("Homebrew Cask behind") && html.contains("Installomator behind"),
        "{html}"
    );
    assert!(html.contains("2 whose sources differ"), "{html}");
    for path in ["/vendors/acme/feed.atom", "/vendors/acme/feed.json?all=1"] {
        assert!(html.contains(&format!("href=\"{path}\"")), "{path}");
        assert_eq!(server.get(path).await.status, 200, "{path}");
    }
    assert_eq!(rows(&page(&server, "/vendors/zed%20%26%20co", 200).await), ["ZETA"]);
    let html = page(&server, "/vendors/acne", 404).await;
    assert!(html.contains("“acne”") && html.contains("href=\"/vendors/Acme\""), "{html}");
    let html = page(&server, "/vendors/%22%3E%3Cscript%3Ealert(1)", 404).await;
    assert!(html.contains("&#60;script&#62;"), "{html}");
    for name in ["%FF", &"x".repeat(2000), "%20"] {
        page(&server, &format!("/vendors/{name}"), 404).await;
    }
}

#[tokio::test]
async fn people_browse_apps_and_programs_get_the_same_json() {
    let mut records = vec![
        label_and_cask("agrees", Some("Acme"), "1.0", "1.0"),
        label_and_cask("behind", Some("Acme"), "1.9", "1.10"),
        record("bare"),
    ];
    for record in &mut records[..2] {
        record["app"]["current_version"] = json!("1.10");
        record["app"]["sources"] = json!(["label_tool", "cask_catalog"]);
    }
    records[2]["app"]["current_version"] = json!(null);
    let server = TestServer::with_records(&records).await;
    let json = server.get("/apps").await;
    assert_eq!(json.slugs().len(), 3);
    for (path, accept) in [
        ("/apps", "*/*"),
        ("/apps", "application/json"),
        ("/apps", "text/html;q=0.5,application/json"),
        // What only programs ask for.
        ("/apps?limit=100", BROWSER),
        ("/apps?slugs=agrees,bare,behind", BROWSER),
    ] {
        let response = server.get_with(path, "accept", accept).await;
        assert_eq!(response.body, json.body, "{path} for {accept}");
        assert_eq!(response.header("vary"), "accept, accept-encoding", "{path}");
        assert_eq!(response.header("content-type"), "application/json", "{path}");
    }
    let response = server.get_with("/apps", "accept", BROWSER).await;
    assert_eq!(response.header("vary"), "accept, accept-encoding");
    let tag = response.header("etag").to_owned();
    let fields = [("accept", BROWSER), ("if-none-match", tag.as_str())];
    let again = fields
        .into_iter()
        .fold(server.request(reqwest::Method::GET, "/apps"), |request, (name, value)| {
            request.header(name, value)
        });
    assert_eq!(server.send(again).await.status, 304);
    for (query, expected) in [
        ("", &["AGREES", "BARE", "BEHIND"][..]),
        ("?source=label_tool", &["AGREES", "BEHIND"]),
        ("?vendor=ACME", &["AGREES", "BEHIND"]),
        ("?drift=yes", &["BEHIND"]),
        ("?version=none", &["BARE"]),
        ("?version=none&drift=yes", &[]),
        ("?vendor=nobody", &[]),
        ("?deprecated=true", &[]),
        ("?deprecated=false&vendor=acme", &["AGREES", "BEHIND"]),
        ("?page=9", &["AGREES", "BARE", "BEHIND"]),
    ] {
        let html = page(&server, &format!("/apps{query}"), 200).await;
        assert_eq!(rows(&html), expected, "{query}");
    }
    let html = page(&server, "/apps?vendor=acme", 200).await;
    assert!(html.contains("<span class=\"badge-behind\">Installomator behind</span>"), "{html}");
    assert!(html.contains("href=\"/apps?vendor=acme&#38;limit=50&#38;offset=0\""), "{html}");
    let many: Vec<Value> = (0..120).map(|number| record(&format!("app-{number:03}"))).collect();
    server.replace_records(&many).await;
    let last = page(&server, "/apps?page=3", 200).await;
    assert_eq!((rows(&last).len(), rows(&last)[0].as_str()), (20, "APP-100"));
    assert!(last.contains("href=\"/apps?page=2\" rel=\"prev\""), "{last}");
}

#[tokio::test]
async fn deprecated_apps_are_marked_wherever_they_are_listed() {
    let server = crate::details::server().await;
    let chip = "<span class=\"badge-bad\">deprecated</span>";
    let html = page(&server, "/apps?deprecated=true", 200).await;
    assert!(html.contains("href=\"/a/aging\"") && html.contains(chip), "{html}");
    assert!(!html.contains("href=\"/a/sample\""), "{html}");
    let html = page(&server, "/?q=aging", 200).await;
    assert!(html.contains(chip), "{html}");
    let hits = server.get("/search?q=aging").await.json();
    assert_eq!(hits["items"][0]["deprecated"], json!(true), "{hits}");
    let hits = server.get("/search?q=sample").await.json();
    assert_eq!(hits["items"][0]["deprecated"], json!(false), "{hits}");
}

#[tokio::test]
async fn an_app_that_left_has_a_page_that_says_when() {
    let server = with_changes().await;
    let html = page(&server, "/a/zoom", 410).await;
    assert!(html.contains("<h1>ZOOM</h1>") && html.contains("left the catalog on <time"), "{html}");
    for version in ["6.1", "6.0"] {
        assert!(html.contains(&format!("<span class=\"version\">{version}</span>")), "{version}");
    }
    assert!(html.contains("href=\"/changes?slug=zoom\""), "{html}");
    page(&server, "/a/nobody", 404).await;
    assert!(!html.contains("no source lists it"), "a source may still list it: {html}");
    let (code, _, stderr) = server.run(&["app", "zoom"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("hint: it left the catalog on 20"), "{stderr}");
    assert!(stderr.contains("see `appstitch history zoom`"), "{stderr}");
}

#[tokio::test]
async fn an_app_that_left_leads_to_the_app_that_has_its_cask() {
    let server = TestServer::empty();
    let with_cask = |slug: &str, token: &str| {
        let mut record = record(slug);
        record["sources"]["cask_catalog"] =
            json!({"token": token, "entry_json": {"version": "1.0"}});
        record
    };
    server.replace_records(&[record("chat"), with_cask("chat-cask", "chat")]).await;
    server.replace_records(&[record("chat"), with_cask("codex", "chat")]).await;
    let html = page(&server, "/a/chat-cask", 410).await;
    let expected = "Its cask <code>chat</code> is part of <a href=\"/a/codex\">CODEX</a> now.";
    assert!(html.contains(expected), "{html}");
}

/// Two apps, a new version, a downgrade, and one app that leaves.
async fn with_changes() -> TestServer {
    let server = TestServer::empty();
    let app = |slug: &str, vendor: &str, version: &str| {
        let mut record = record(slug);
        record["app"]["vendor"] = json!(vendor);
        record["app"]["current_version"] = json!(version);
        record
    };
    server.replace_records(&[app("firefox", "Mozilla", "153.0"), app("zoom", "Zoom", "6.1")]).await;
    server.replace_records(&[app("firefox", "Mozilla", "154.0"), app("zoom", "Zoom", "6.1")]).await;
    server
        .replace_records(&[app("firefox", "Mozilla Corp", "154.0"), app("zoom", "Zoom", "6.0")])
        .await;
    server.replace_records(&[app("firefox", "Mozilla Corp", "154.0")]).await;
    server
}

#[tokio::test]
async fn browsers_see_changes_and_programs_get_the_journal() {
    let server = with_changes().await;
    let json = server.get("/changes").await;
    for accept in ["*/*", "application/json", "text/html;q=0.5,application/json"] {
        let response = server.get_with("/changes", "accept", accept).await;
        assert_eq!(response.body, json.body, "{accept}");
        assert_eq!(response.header("vary"), "accept, accept-encoding", "{accept}");
    }
    let response = server.get_with("/changes", "accept", BROWSER).await;
    assert_eq!(response.header("vary"), "accept, accept-encoding");
    let html = page(&server, "/changes", 200).await;
    assert_eq!(rows(&html), ["ZOOM", "ZOOM", "FIREFOX", "FIREFOX", "ZOOM", "FIREFOX"]);
    for text in [
        "<span class=\"version muted\">153.0</span> → <span class=\"version\">154.0</span>",
        "<span class=\"version muted\">6.1</span> back to <span class=\"version\">6.0</span>",
        "<span class=\"badge-ok\">added</span>",
        "<span class=\"badge-bad\">removed</span>",
        "vendor <span class=\"version muted\">Mozilla</span> → <span class=\"version\">Mozilla Corp",
        "href=\"/a/zoom\"",
        "href=\"/feed.atom?all=1\"",
        "href=\"/changes?format=json\"",
    ] {
        assert!(html.contains(text), "{text} in {html}");
    }
    let linked = server.get_with("/changes?format=json", "accept", BROWSER).await;
    assert_eq!((linked.header("content-type"), &linked.body), ("application/json", &json.body));
    for (query, expected) in [
        ("kind=added", &["FIREFOX", "ZOOM"][..]),
        ("kind=removed", &["ZOOM"]),
        ("field=vendor&kind=changed", &["FIREFOX"]),
        ("vendor=MOZILLA&kind=changed", &["FIREFOX", "FIREFOX"]),
        ("slug=zoom", &["ZOOM", "ZOOM", "ZOOM"]),
        ("slug=nobody", &[]),
        ("before=4", &["FIREFOX", "FIREFOX", "ZOOM"]),
        ("before=1", &[]),
        ("before=99", &["ZOOM", "FIREFOX", "ZOOM", "FIREFOX", "FIREFOX", "ZOOM"]),
        ("since=3", &["ZOOM", "ZOOM", "FIREFOX"]),
    ] {
        let html = page(&server, &format!("/changes?{query}"), 200).await;
        let mut found = rows(&html);
        let mut expected: Vec<&str> = expected.to_vec();
        // Changes of one revision are in slug order.
        found.sort();
        expected.sort_unstable();
        assert_eq!(found, expected, "{query}");
    }
    let filtered = page(&server, "/changes?slug=zoom", 200).await;
    assert!(filtered.contains("href=\"/apps/zoom/feed.atom\""), "{filtered}");
    assert!(filtered.contains("href=\"/changes.csv?slug=zoom\""), "{filtered}");
}

#[tokio::test]
async fn changes_are_a_table_with_a_line_for_each_field() {
    let server = with_changes().await;
    let csv = server.get("/changes.csv?kind=changed").await;
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(csv.header("content-disposition"), "attachment; filename=\"changes.csv\"");
    let lines: Vec<&str> = csv.text().lines().collect();
    assert_eq!(lines[0], "number,at,slug,name,kind,field,from,to");
    let columns = |line: &str| line.splitn(3, ',').nth(2).unwrap().to_owned();
    let mut changes: Vec<String> = lines[1..].iter().map(|line| columns(line)).collect();
    changes.sort();
    assert_eq!(
        changes,
        [
            "firefox,FIREFOX,changed,current_version,153.0,154.0",
            "firefox,FIREFOX,changed,vendor,Mozilla,Mozilla Corp",
            "zoom,ZOOM,changed,current_version,6.1,6.0",
        ]
    );
    let since = server.get("/changes.csv?since=5&slug=zoom").await;
    assert!(since.text().contains("zoom,ZOOM,removed,current_version,6.0,\r\n"), "{since:?}");
    let none = server.get("/changes.csv?slug=nobody").await;
    assert_eq!(none.text().lines().count(), 1);
    let tag = csv.header("etag");
    assert_eq!(server.get_with("/changes.csv", "if-none-match", tag).await.status, 304);
}

#[tokio::test]
async fn older_and_newer_changes_are_a_link_away() {
    let records: Vec<Value> = (0..120).map(|number| record(&format!("app-{number:03}"))).collect();
    let server = TestServer::with_records(&records).await;
    let mut path = "/changes?kind=added".to_owned();
    let (mut seen, mut pages) = (Vec::new(), Vec::new());
    loop {
        let html = page(&server, &path, 200).await;
        seen.extend(rows(&html));
        pages.push(path.clone());
        let next = html
            .split("<a href=\"")
            .find(|link| link.split('>').next().is_some_and(|tag| tag.contains("rel=\"next\"")));
        let Some(next) = next else { break };
        path = next[..next.find('"').unwrap()].replace("&#38;", "&");
    }
    let unique: std::collections::BTreeSet<&String> = seen.iter().collect();
    assert_eq!((seen.len(), unique.len(), pages.len()), (120, 120, 3));
    let last = page(&server, &pages[2], 200).await;
    let newer = format!("href=\"{}\" rel=\"prev\"", pages[1].replace('&', "&#38;"));
    assert!(last.contains(&newer), "{newer} in {last}");
    assert!(last.contains("<a href=\"/changes?kind=added\">Newest</a>"), "{last}");
}

#[tokio::test]
async fn markup_formulas_and_long_texts_of_strangers_are_harmless() {
    let server = TestServer::empty();
    for hostile in [
        "\"><img src=x onerror=alert(1)>",
        "<script>alert(1)</script>",
        "' onmouseover='alert(1)",
        "=HYPERLINK(\"http://example.com\")",
        "@SUM(1+1)",
        "{{ 9999*9999 }}",
    ] {
        let mut first = label_and_cask("first", Some(hostile), "1.0", "2.0");
        first["app"]["name"] = json!(hostile);
        let second = label_and_cask("second", Some("Plain"), hostile, "2.0");
        // What the text rule refuses does not get here; the rest must be escaped.
        server.put("/admin/records?allow_shrink=true", ndjson(&[first, second])).await;
        let vendor = hostile.bytes().fold(String::new(), |path, byte| path + &percent(byte));
        for path in [
            "/apps",
            "/drift",
            "/vendors",
            "/changes",
            "/drift.csv",
            "/vendors.csv",
            "/changes.csv",
            &format!("/drift?q={vendor}&vendor={vendor}"),
            &format!("/vendors?q={vendor}"),
            &format!("/vendors/{vendor}"),
            &format!("/changes?vendor={vendor}&slug={vendor}"),
        ] {
            let response: Response = server.get_with(path, "accept", BROWSER).await;
            let text = response.text();
            if response.header("content-type").starts_with("text/csv") {
                let cells = text.split([',', '\n']);
                let formula = |cell: &str| cell.trim_matches('"').starts_with(['=', '@', '+']);
                assert!(!cells.into_iter().any(formula), "{text}");
                continue;
            }
            assert!(response.status == 200 || response.status == 404, "{path}: {response:?}");
            for forbidden in ["<img", "<script>", "' onmouse", "\" onerror", "99980001"] {
                assert!(!text.contains(forbidden), "{forbidden} in {path}: {text}");
            }
        }
    }
}

/// A byte as it stands in an address.
fn percent(byte: u8) -> String {
    format!("%{byte:02X}")
}
