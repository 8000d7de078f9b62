//! Feeds of changes: their entries, identifiers, archives and caching, and a validator's opinion.

use std::{collections::BTreeSet, path::Path, process::Command};

use appstitch_setup::{NODE, PYTHON, installed};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{TestServer, label_and_cask, run, succeed};

fn app(slug: &str, name: &str, vendor: &str, version: &str) -> Value {
    json!({"app": {"slug": slug, "name": name, "vendor": vendor, "current_version": version,
        "sources": []}, "sources": null})
}

async fn items(server: &TestServer, path: &str) -> Vec<Value> {
    let response = server.get(path).await;
    assert_eq!(response.status, 200, "{path}: {response:?}");
    assert_eq!(response.header("content-type"), "application/feed+json", "{path}");
    response.json()["items"].as_array().unwrap().clone()
}

async fn titles(server: &TestServer, path: &str) -> Vec<String> {
    let items = items(server, path).await;
    items.iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect()
}

async fn atom(server: &TestServer, path: &str) -> String {
    let response = server.get(path).await;
    assert_eq!(response.status, 200, "{path}: {response:?}");
    assert_eq!(response.header("content-type"), "application/atom+xml; charset=utf-8", "{path}");
    String::from_utf8(response.body).unwrap()
}

/// Two apps, then a new version, a downgrade, another URL, one app less and one more.
async fn with_changes() -> TestServer {
    let server = TestServer::empty();
    let fox = |version| app("firefox", "Firefox", "Mozilla", version);
    let zoom = |version| app("zoom", "Zoom", "Zoom Video", version);
    server.replace_records(&[fox("153.0.3"), zoom("6.1")]).await;
    server.replace_records(&[fox("154.0"), zoom("6.1")]).await;
    server.replace_records(&[fox("154.0"), zoom("6.0")]).await;
    let mut moved = fox("154.0");
    moved["app"]["download_url"] = json!("https://example.com/firefox.dmg");
    moved["app"]["install_method"] = json!("dmg");
    server.replace_records(&[moved.clone(), zoom("6.0")]).await;
    server.replace_records(&[moved, app("slack", "Slack", "Salesforce", "4.0")]).await;
    server
}

#[tokio::test]
async fn feeds_tell_what_changed_newest_first() {
    let server = with_changes().await;
    assert_eq!(
        titles(&server, "/feed.json").await,
        [
            "Zoom removed",
            "Slack 4.0 added",
            "Zoom back to 6.0 from 6.1",
            "Firefox 153.0.3 → 154.0",
            "Zoom 6.1 added",
            "Firefox 153.0.3 added",
        ]
    );
    let all = titles(&server, "/feed.json?all=1").await;
    assert_eq!(all.len(), 7);
    assert_eq!(all[2], "Firefox: download URL and install method changed");
    let expected = ["Firefox 153.0.3 → 154.0", "Firefox 153.0.3 added"];
    assert_eq!(titles(&server, "/apps/firefox/feed.json").await, expected);
    assert_eq!(titles(&server, "/vendors/MOZILLA/feed.json").await, expected);
    assert_eq!(titles(&server, "/apps/firefox/feed.json?all=true").await.len(), 3);
    let gone = titles(&server, "/apps/zoom/feed.json").await;
    assert_eq!(gone[0], "Zoom removed", "subscribers see that an app left");
    let left = &items(&server, "/apps/zoom/feed.json").await[0];
    assert_eq!(left["url"], "/changes?slug=zoom");
    assert_eq!(titles(&server, "/vendors/zoom%20video/feed.json").await, gone);
    let item = &items(&server, "/apps/firefox/feed.json").await[0];
    assert_eq!(item["content_text"], "Version: 153.0.3 → 154.0");
    assert_eq!((&item["url"], &item["tags"]), (&json!("/a/firefox"), &json!(["changed"])));
    let change = json!({"current_version": {"from": "153.0.3", "to": "154.0"}});
    assert_eq!(item["_appstitch"]["fields"], change);
}

#[tokio::test]
async fn atom_and_json_have_the_same_entries() {
    let server = with_changes().await;
    for feed in ["/feed", "/apps/firefox/feed", "/vendors/mozilla/feed", "/drift/feed"] {
        let items = items(&server, &format!("{feed}.json")).await;
        let atom = atom(&server, &format!("{feed}.atom")).await;
        assert_eq!(atom.matches("<entry>").count(), items.len(), "{feed}");
        for item in items {
            let id = format!("<id>{}</id>", item["id"].as_str().unwrap());
            assert!(atom.contains(&id), "{feed}: {id}");
        }
    }
}

#[tokio::test]
async fn drift_starts_and_stops() {
    let server = TestServer::empty();
    server.replace_records(&[label_and_cask("a", None, "1.0", "1.0")]).await;
    server.replace_records(&[label_and_cask("a", None, "1.0", "2.0")]).await;
    server.replace_records(&[label_and_cask("a", None, "2.0", "2.0")]).await;
    assert_eq!(
        titles(&server, "/drift/feed.json").await,
        ["A: label_tool no longer lags at 2.0", "A: label_tool lags at 1.0, newest is 2.0"]
    );
    let item = &items(&server, "/drift/feed.json").await[0];
    assert_eq!((&item["url"], &item["tags"]), (&json!("/a/a"), &json!(["stopped"])));
}

#[tokio::test]
async fn names_in_feeds_are_those_of_the_time() {
    let server = TestServer::empty();
    for (name, version) in [("Old", "1"), ("Old", "2"), ("New", "2"), ("New", "3")] {
        server.replace_records(&[app("x", name, "V", version)]).await;
    }
    let expected = ["New 2 → 3", "Old is now called New", "Old 1 → 2", "Old 1 added"];
    assert_eq!(titles(&server, "/feed.json?all=1").await, expected);
    assert_eq!(titles(&server, "/apps/x/feed.json?all=1").await, expected);
}

#[tokio::test]
async fn a_revision_has_fixed_bytes_and_identifiers_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let mut server = TestServer::on_store(&store);
    server.replace_records(&[app("a", "A", "V", "1")]).await;
    server.replace_records(&[app("a", "A", "V", "2"), app("b", "B", "V", "1")]).await;
    let feeds = ["/feed.atom", "/feed.json?all=1", "/vendors/v/feed.atom", "/apps/a/feed.json"];
    let mut before = Vec::new();
    for feed in feeds {
        let first = server.get(feed).await.body;
        assert_eq!(server.get(feed).await.body, first, "{feed}");
        before.push(first);
    }
    let ids = async |server: &TestServer| -> BTreeSet<String> {
        let items = items(server, "/feed.json?all=1").await;
        let ids: BTreeSet<_> =
            items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect();
        assert_eq!(ids.len(), items.len(), "identifiers repeat");
        ids
    };
    let old = ids(&server).await;
    server.kill();
    let server = TestServer::on_store(&store);
    for (feed, body) in feeds.iter().zip(before) {
        assert_eq!(server.get(feed).await.body, body, "{feed} after a restart");
    }
    // The same version again is another change.
    server.replace_records(&[app("a", "A", "V", "1"), app("b", "B", "V", "1")]).await;
    server.replace_records(&[app("a", "A", "V", "2"), app("b", "B", "V", "1")]).await;
    let new = ids(&server).await;
    assert!(new.is_superset(&old) && new.len() == old.len() + 2, "{old:?} {new:?}");
    // Another store never has the same ones.
    let other = TestServer::empty();
    other.replace_records(&[app("a", "A", "V", "1")]).await;
    assert!(ids(&other).await.is_disjoint(&new));
}

#[tokio::test]
async fn feeds_are_conditional_compressed_and_have_heads() {
    let server = with_changes().await;
    let etag = server.etag().await;
    for path in ["/feed.atom", "/feed.json", "/vendors/mozilla/feed.atom", "/drift/feed.json"] {
        let plain = server.get(path).await;
        assert_eq!(plain.header("etag"), etag, "{path}");
        assert!(plain.header("cache-control").contains("max-age=300"), "{path}");
        assert_eq!(plain.header("vary"), "accept-encoding", "{path}");
        let same = server.get_with(path, "if-none-match", &etag).await;
        assert_eq!((same.status.as_u16(), same.body.len()), (304, 0), "{path}");
        let head = server.send(server.request(Method::HEAD, path)).await;
        assert_eq!(head.header("content-length"), plain.body.len().to_string(), "{path}");
        assert_eq!(head.header("content-type"), plain.header("content-type"), "{path}");
    }
    for encoding in ["gzip", "zstd"] {
        let packed = server.get_with("/feed.atom", "accept-encoding", encoding).await;
        assert_eq!(packed.header("content-encoding"), encoding);
        assert!(packed.body.len() < server.get("/feed.atom").await.body.len() / 2);
    }
    let posted = server.send(server.request(Method::POST, "/feed.atom")).await;
    assert_eq!((posted.status.as_u16(), posted.header("allow")), (405, "GET,HEAD"));
}

#[tokio::test]
async fn unknown_feeds_are_404_in_the_usual_shape() {
    let server = with_changes().await;
    for (path, code, detail) in [
        ("/apps/nobody/feed.atom", "app_not_found", "App with slug 'nobody' not found"),
        ("/vendors/No%20Body/feed.json", "vendor_not_found", "No app is by the vendor 'No Body'"),
        ("/feed/archive/1999-01-01.atom", "", "There is no archive '1999-01-01'"),
        ("/feed/archive/nonsense", "", "There is no archive 'nonsense'"),
        ("/feed/archive/2026-02-30.atom", "", "There is no archive '2026-02-30.atom'"),
        ("/feed.xml", "", "Not Found"),
    ] {
        let response = server.get(path).await;
        assert_eq!(response.status, 404, "{path}");
        assert_eq!(response.json()["detail"], detail, "{path}");
        assert_eq!(response.header("x-error-code"), code, "{path}");
    }
    let response = server.get("/feed.atom?all=maybe").await;
    assert_eq!(
        (response.status.as_u16(), response.json()["detail"][0]["type"].clone()),
        (422, json!("bool_parsing"))
    );
}

#[tokio::test]
async fn links_begin_with_the_public_address() {
    let server =
        TestServer::with(&["--no-sample", "--public-url", "https://apps.example/catalog/"]);
    server.replace_records(&[app("a", "A", "V", "1")]).await;
    // A client cannot choose the links of others.
    let request = server.request(Method::GET, "/apps/a/feed.json").header("host", "evil.example");
    let feed = server.send(request).await.json();
    assert_eq!(feed["home_page_url"], "https://apps.example/catalog/a/a");
    assert_eq!(feed["feed_url"], "https://apps.example/catalog/apps/a/feed.json");
    assert_eq!(feed["items"][0]["url"], "https://apps.example/catalog/a/a");
    let atom = atom(&server, "/feed.atom?all=1").await;
    assert!(
        atom.contains("rel=\"self\" href=\"https://apps.example/catalog/feed.atom?all=1\""),
        "{atom}"
    );
}

#[test]
fn a_public_address_with_a_secret_is_refused() {
    let (code, _, said) = run(&["serve", "--public-url", "https://user:hunter2@apps.example"]);
    assert_eq!(code, 2);
    assert!(said.contains("invalid public URL"), "{said}");
}

/// The archive of the day on which the journal was written, wherever midnight falls.
async fn archive_of(server: &TestServer) -> String {
    let items = items(server, "/feed.json").await;
    let day = items[0]["date_published"].as_str().unwrap().split('T').next().unwrap().to_owned();
    format!("/feed/archive/{day}.atom")
}

#[tokio::test]
async fn archives_have_the_changes_of_a_day() {
    let server = with_changes().await;
    let path = archive_of(&server).await;
    let archive = atom(&server, &path).await;
    assert!(archive.contains("<fh:archive/>"), "{archive}");
    assert!(archive.contains("<link rel=\"current\" href=\"/feed.atom\"/>"), "{archive}");
    // The day is not over, as far as the journal knows.
    let caching = server.get(&path).await.header("cache-control").to_owned();
    assert!(caching.contains("max-age=300"), "{caching}");
    let all = atom(&server, &format!("{path}?all=1")).await;
    assert!(all.matches("<entry>").count() > archive.matches("<entry>").count(), "{all}");
    assert!(all.contains("href=\"/feed.atom?all=1\""), "{all}");
}

#[tokio::test]
async fn a_first_catalog_of_many_apps_is_one_entry_and_whole_in_the_archive() {
    let server = TestServer::empty();
    let records: Vec<Value> =
        (0..4500).map(|number| app(&format!("app-{number:04}"), "App", "V", "1")).collect();
    server.replace_records(&records).await;
    let feed = atom(&server, "/feed.atom").await;
    assert_eq!(feed.matches("<entry>").count(), 1);
    assert!(feed.contains("<title>4500 apps added</title>"), "{feed}");
    let first = archive_of(&server).await;
    let part = |number: usize| first.replace(".atom", &format!(".{number}.atom"));
    let link = |path: &str| format!("rel=\"prev-archive\" href=\"{path}\"");
    assert!(feed.contains(&link(&part(2))), "the feed has everything after the last full part");
    for (path, count, is_final) in
        [(first.clone(), 2000, false), (part(2), 2000, true), (part(3), 500, false)]
    {
        let response = server.get(&path).await;
        let text = String::from_utf8(response.body.clone()).unwrap();
        assert_eq!(text.matches("<entry>").count(), count, "{path}");
        assert_eq!(response.header("cache-control").contains("immutable"), is_final, "{path}");
    }
    assert!(atom(&server, &part(3)).await.contains(&link(&part(2))));
    assert!(atom(&server, &part(2)).await.contains(&link(&first)));
    assert!(!atom(&server, &first).await.contains("prev-archive"));
    assert_eq!(server.get(&part(4)).await.status, 404);
    assert_eq!(titles(&server, "/vendors/v/feed.json").await, ["4500 apps added"]);
}

/// A server whose catalog has names with every special character that the text rule lets pass. The
/// names in the journal are worse: as if another rule had let them pass.
async fn with_hostile_names() -> TestServer {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let mut server = TestServer::on_store(&store);
    let longest = "x".repeat(512);
    let names = ["A & B > C < D", "]]> \" '", "𝔘𝔫𝔦 👩\u{200d}💻 ﷽", longest.as_str()];
    for version in ["1.0 <&> \"'", "2.0 ]]>"] {
        let numbered = names.iter().enumerate();
        let records: Vec<Value> = numbered
            .map(|(number, name)| app(&format!("app-{number}"), name, name, version))
            .collect();
        server.replace_records(&records).await;
    }
    server.kill();
    let database = rusqlite::Connection::open(&store).unwrap();
    let long = format!("{}{}", "<x>\u{1}&".repeat(2000), "é".repeat(10_000));
    for (seq, name) in [
        (1, "</title><script>alert(1)</script>"),
        (2, "\u{0}\u{b}\u{1b}[31m\u{ffff}\u{202e}\n]]>"),
        (3, &long),
    ] {
        let fields = json!({"name": {"from": null, "to": name}, "bundle_id": {"from": null, "to": name},
            "current_version": {"from": null, "to": name}});
        let update = "UPDATE change SET fields = ?1, vendor = ?2 WHERE seq = ?3";
        let changed = database.execute(update, (fields.to_string(), name, seq)).unwrap();
        assert_eq!(changed, 1);
    }
    drop(database);
    let mut server = TestServer::on_store(&store);
    server.keep(folder);
    server
}

#[tokio::test]
async fn hostile_names_are_only_text_and_short() {
    let server = with_hostile_names().await;
    let feed = atom(&server, "/feed.atom").await;
    assert_eq!(feed.matches("<entry>").count(), 8, "{feed}");
    assert!(
        !feed.contains("<script") && !feed.contains("]]>") && !feed.contains('\u{202e}'),
        "{feed}"
    );
    assert!(feed.len() < 20_000, "{} bytes", feed.len());
    for title in titles(&server, "/feed.json").await {
        assert!(!title.chars().any(char::is_control) && title.len() < 400, "{title}");
    }
}

/// A validator finds feeds valid: a strict parser of feeds, a grammar of RFC 4287, and the published
/// schema of JSON Feed.
#[tokio::test]
async fn a_validator_finds_the_feeds_valid() {
    let (python, packages) = (installed(PYTHON), installed(NODE));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/feeds.py");
    let schema = Path::new(&packages).join("node_modules/jsonfeed-schema/schema-v1.1.json");
    let check = |server: &TestServer, paths: &[String]| {
        let mut command = Command::new(&python);
        command.arg(&script).arg(&schema).arg(&server.base).args(paths);
        succeed(&mut command);
    };
    let feeds = [
        "/feed.atom", "/feed.json", "/feed.atom?all=1", "/feed.json?all=1", "/drift/feed.atom",
        "/drift/feed.json",
    ];
    let mut all = feeds.map(str::to_owned).to_vec();
    // Nothing was published yet.
    check(&TestServer::empty(), &all);
    let server = with_changes().await;
    all.extend(
        ["/apps/firefox/feed.atom", "/apps/zoom/feed.json", "/vendors/mozilla/feed.atom"]
            .map(str::to_owned),
    );
    all.push(archive_of(&server).await);
    check(&server, &all);
    let hostile = with_hostile_names().await;
    check(&hostile, &feeds.map(str::to_owned));
    let sample = TestServer::with_sample();
    check(&sample, &feeds.map(str::to_owned));
}
