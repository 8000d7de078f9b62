//! Every exported address, asked from nginx and from a live server on the same store.

use std::collections::{BTreeMap, BTreeSet};

use appstitch_server::{Export, LocalService};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    exported::{Entry, Exported, PUBLIC_URL},
    nginx::Nginx,
    service::support::{Response, TestServer, app, label_and_cask, ndjson, run_ok},
};

/// What belongs to a connection or to a server, not to an answer.
const NOT_COMPARED: [&str; 7] = [
    "connection", "content-length", "date", "keep-alive", "server", "transfer-encoding",
    "x-request-id",
];

/// More records than a page of a list has, with drift, vendors and odd names.
fn records(version: &str) -> Vec<Value> {
    let mut records: Vec<Value> = (0..105)
        .map(|number| {
            let mut app = app(&format!("many-{number:03}"));
            app["vendor"] = json!("Many & Co.");
            json!({"app": app, "sources": null})
        })
        .collect();
    let mut title = app("title");
    title["bundle_id"] = json!("com.example.title");
    title["current_version"] = json!(version);
    records.push(json!({"app": title, "sources": null}));
    records.push(label_and_cask("notepad++", Some("Ünïcode / Slash"), version, "9.9"));
    records.push(label_and_cask("odd@beta", Some("100% \"Odd\" ?#"), "1.0", "1.0"));
    records
}

/// A live server with the sample and a journal, and an export of the same store.
async fn both() -> (TestServer, Exported) {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("key").display().to_string();
    run_ok(&["catalog", "new-key", &key]);
    let live = TestServer::with(&["--public-url", PUBLIC_URL, "--signing-key-file", &key]);
    for version in ["1.0", "2.0"] {
        let response = live.upload(&ndjson(&records(version))).await;
        assert_eq!(response.status, 200, "{response:?}");
    }
    let exported = Exported::of_file(&live.store()).with_public_url().signed_with(&key);
    exported.run().await;
    (live, exported)
}

fn fields(response: &Response) -> BTreeMap<String, String> {
    let fields = response.headers.iter();
    let fields = fields.filter(|(name, _)| !NOT_COMPARED.contains(&name.as_str()));
    let text = |value: &reqwest::header::HeaderValue| value.to_str().unwrap().to_owned();
    fields.map(|(name, value)| (name.as_str().to_owned(), text(value))).collect()
}

fn plain(response: &Response) -> Vec<u8> {
    use std::io::Read;
    let mut plain = Vec::new();
    match response.header("content-encoding") {
        "" => return response.body.clone(),
        "gzip" => flate2::read::GzDecoder::new(&response.body[..]).read_to_end(&mut plain).unwrap(),
        "zstd" => zstd::Decoder::new(&response.body[..]).unwrap().read_to_end(&mut plain).unwrap(),
        other => panic!("encoding {other}"),
    };
    plain
}

async fn compare(
    live: &TestServer,
    edge: &Nginx,
    method: Method,
    address: &str,
    headers: &[(&str, &str)],
) -> Response {
    let mut requests = [live.request(method.clone(), address), edge.request(method, address)];
    for request in &mut requests {
        for (name, value) in headers {
            *request = request.try_clone().unwrap().header(*name, *value);
        }
    }
    let [expected, found] = requests;
    let (expected, found) = (live.send(expected).await, edge.send(found).await);
    let request = format!("{address} {headers:?}");
    assert_eq!(found.status, expected.status, "{request}");
    assert_eq!(fields(&found), fields(&expected), "{request}");
    assert!(plain(&found) == plain(&expected), "the body of {request}");
    found
}

async fn compare_entry(live: &TestServer, edge: &Nginx, entry: &Entry) {
    let address = entry.address.as_str();
    let accept = if entry.is_for_browsers() { "text/html" } else { "*/*" };
    let accept = ("accept", accept);
    let response = compare(live, edge, Method::GET, address, &[accept]).await;
    assert_eq!(response.status, 200, "{address}");
    let listed = &entry.headers;
    assert_eq!(&fields(&response), listed, "the manifest of {address}");
    compare(live, edge, Method::HEAD, address, &[accept]).await;
    for encoding in ["gzip", "zstd, gzip;q=0.5"] {
        let accepted = ("accept-encoding", encoding);
        let response = compare(live, edge, Method::GET, address, &[accept, accepted]).await;
        let is_packed = !response.header("content-encoding").is_empty();
        assert_eq!(is_packed, entry.packed, "{address}");
    }
    let Some(etag) = listed.get("etag") else { return };
    for known in [etag.clone(), format!("\"x\", {}", etag.trim_start_matches("W/")), "*".into()] {
        let known = ("if-none-match", known.as_str());
        let response = compare(live, edge, Method::GET, address, &[accept, known]).await;
        assert_eq!(
            (response.status.as_u16(), response.body.len()),
            (304, 0),
            "{address} {known:?}"
        );
    }
    let other = ("if-none-match", "W/\"other\"");
    let response = compare(live, edge, Method::GET, address, &[accept, other]).await;
    assert_eq!(response.status, 200, "{address}");
}

#[tokio::test]
async fn every_exported_address_is_answered_as_by_a_live_server() {
    let (live, exported) = both().await;
    let edge = Nginx::start(&exported.path());
    let entries = exported.entries();
    assert!(entries.len() > 1500, "{}", entries.len());
    // Everything about a few apps of one kind says as much as about all of them.
    let is_repeated = |entry: &&Entry| {
        let name = entry.address.split(['/', '.']).find(|part| part.starts_with("many-"));
        name.is_none_or(|name| name < "many-003")
    };
    for entry in entries.iter().filter(is_repeated) {
        compare_entry(&live, &edge, entry).await;
    }
    assert_eq!(edge.complaints(), "");
    let routes: BTreeSet<&str> = entries.iter().map(|entry| entry.route.as_str()).collect();
    let expected =
        LocalService::routes().filter(|(_, export)| !matches!(export, Export::LiveOnly(_)));
    let expected: BTreeSet<&str> = expected.map(|(path, _)| path).collect();
    assert_eq!(routes, expected, "every route has an address in this catalog");
}

#[tokio::test]
async fn all_pages_of_a_list_are_reached_by_its_links() {
    let (live, exported) = both().await;
    let edge = Nginx::start(&exported.path());
    let all: Vec<String> = live.get("/apps?limit=1000").await.slugs();
    assert!(all.len() > 105);
    for start in ["/apps", "/apps?limit=1000", "/apps?offset=0", "/apps?offset=0&limit=100"] {
        let (mut slugs, mut next) = (Vec::new(), Some(start.to_owned()));
        while let Some(address) = next {
            let page = compare(&live, &edge, Method::GET, &address, &[]).await;
            slugs.extend(page.slugs());
            let links = page.header("link").split(", ").map(str::to_owned).collect::<Vec<_>>();
            let link = links.iter().find(|link| link.ends_with("rel=\"next\""));
            next = link.map(|link| link[1..link.find('>').unwrap()].to_owned());
        }
        assert_eq!(slugs, all, "{start}");
    }
    for address in ["/vendors?page=1", "/drift?page=1", "/apps/many-000?utm_source=x"] {
        compare(&live, &edge, Method::GET, address, &[]).await;
    }
}
