//! `GET /changes` and `/apps/{slug}/history` as an interface: parameters, conditions, errors, tools and
//! commands.

use serde_json::{Value, json};

use super::{expected, listed, versioned};
use crate::support::TestServer;

async fn two_revisions() -> TestServer {
    let server = TestServer::empty();
    server.replace_records(&[versioned("alpha", Some("1")), versioned("beta", Some("1"))]).await;
    server.replace_records(&[versioned("alpha", Some("2")), versioned("gamma", None)]).await;
    server
}

#[tokio::test]
async fn a_page_has_the_documented_shape() {
    let server = two_revisions().await;
    let page = server.get("/changes").await;
    assert_eq!(page.header("content-type"), "application/json");
    let page = page.json();
    let keys: Vec<&String> = page.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["from", "to", "next", "more", "changes"]);
    let stats = server.get("/stats").await.json();
    assert_eq!(page["to"], stats["catalog_version"]);
    let changes = page["changes"].as_array().unwrap();
    let keys: Vec<&String> = changes[2].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["seq", "at", "revision", "slug", "kind", "fields"]);
    assert_eq!(changes[2]["fields"], json!({"current_version": {"from": "1", "to": "2"}}));
    assert_eq!(changes[3]["fields"]["name"], json!({"from": "BETA", "to": null}));
    assert_eq!((&changes[2]["revision"], &changes[2]["at"]), (&page["to"], &stats["last_refresh"]));
    let seqs: Vec<u64> = changes.iter().map(|change| change["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, [1, 2, 3, 4, 5]);
}

#[tokio::test]
async fn filters_combine() {
    let server = two_revisions().await;
    for (query, changes) in [
        ("kind=removed", &[("removed", "beta")][..]),
        ("slug=alpha", &[("added", "alpha"), ("changed", "alpha")]),
        ("slug=alpha&kind=changed", &[("changed", "alpha")]),
        ("slug=nobody", &[]),
        ("vendor=ACME&since=3", &[("removed", "beta"), ("added", "gamma")]),
        ("vendor=none", &[]),
        ("field=current_version&since=2", &[("changed", "alpha"), ("removed", "beta")]),
        ("limit=1", &[("added", "gamma")]),
        ("since=0&limit=1", &[("added", "alpha")]),
        ("since=0&squash=true", &[("added", "alpha"), ("added", "gamma")]),
        ("since=0&squash=true&slug=gamma", &[("added", "gamma")]),
        ("since=2&squash=yes", &[("changed", "alpha"), ("removed", "beta"), ("added", "gamma")]),
        ("since=2&squash=yes&kind=removed", &[("removed", "beta")]),
        ("since=2020-01-01&limit=2&limit=1", &[("added", "alpha")]),
    ] {
        assert_eq!(listed(&server, query).await, expected(changes), "{query}");
    }
}

#[tokio::test]
async fn what_is_wrong_is_said() {
    let server = two_revisions().await;
    for (query, status, text) in [
        ("since=tomorrow", 400, "'tomorrow' is not a position"),
        ("since=", 400, "'' is not a position"),
        ("since=%00%1b%5B31m", 400, "is not a position"),
        ("since=99", 400, "'99' is in the future"),
        ("since=9999-01-01", 400, "in the future"),
        ("since=ffffffff-1-123456", 410, "are not available"),
        ("since=20200101T000000Z-0123456789ab", 410, "are not available"),
    ] {
        let response = server.get(&format!("/changes?{query}")).await;
        assert_eq!(response.status, status, "{query}: {response:?}");
        assert!(response.detail().contains(text), "{query}: {}", response.detail());
        assert!(!response.detail().contains('\u{1b}'), "{query}");
        assert_eq!(response.header("cache-control"), "no-store", "{query}");
    }
    let gone = server.get("/changes?since=ffffffff-1").await;
    assert_eq!(gone.header("x-error-code"), "changes_gone");
    let body = gone.json();
    assert_eq!((&body["reset"], &body["snapshot"]), (&json!(true), &json!("/apps?limit=1000")));
    for query in ["limit=0", "limit=1001", "kind=new", "field=version", "squash=perhaps"] {
        let response = server.get(&format!("/changes?{query}")).await;
        assert_eq!(response.status, 422, "{query}");
        assert_eq!(response.header("cache-control"), "no-store", "{query}");
        let name = query.split('=').next().unwrap();
        assert_eq!(response.json()["detail"][0]["loc"], json!(["query", name]));
    }
}

#[tokio::test]
async fn a_page_is_conditional_and_one_of_the_past_never_changes() {
    let server = two_revisions().await;
    let newest = server.get("/changes?since=2").await;
    assert_eq!(newest.header("cache-control"), "no-cache");
    let etag = newest.header("etag").to_owned();
    let again = server.get_with("/changes?since=2", "if-none-match", &etag).await;
    assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
    assert_eq!(again.header("etag"), etag);
    let other = server.get_with("/changes?since=1", "if-none-match", &etag).await;
    assert_eq!(other.status, 200, "the tag is of another page");
    let start = newest.json()["from"].as_str().unwrap().to_owned();
    let path = format!("/changes?since={start}&limit=1");
    let past = server.get(&path).await;
    assert_eq!(past.json()["more"], true);
    assert!(past.header("cache-control").contains("immutable"), "{past:?}");
    server.replace_records(&[versioned("alpha", Some("3"))]).await;
    assert_eq!(server.get(&path).await.body, past.body);
    let changed = server.get_with("/changes?since=2", "if-none-match", &etag).await;
    assert_eq!(changed.status, 200);
    let head = server.send(server.request(reqwest::Method::HEAD, "/changes")).await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
}

#[tokio::test]
async fn the_history_has_every_version_newest_first() {
    let server = two_revisions().await;
    server.replace_records(&[versioned("alpha", Some("1")), versioned("gamma", None)]).await;
    let history = server.get("/apps/alpha/history").await;
    assert_eq!(history.header("etag"), server.etag().await);
    let history = history.json();
    let versions = history["versions"].as_array().unwrap();
    let texts: Vec<&Value> = versions.iter().map(|version| &version["version"]).collect();
    assert_eq!(texts, [&json!("1"), &json!("2"), &json!("1")]);
    assert_eq!(versions[0]["until"], json!(null));
    assert_eq!(versions[1]["until"], versions[0]["first_seen"]);
    assert_eq!(server.get("/apps/gamma/history").await.json()["versions"], json!([]));
    let removed = server.get("/apps/beta/history").await.json();
    assert!(removed["versions"][0]["until"].is_string(), "it left: {removed}");
    assert_eq!(server.get("/apps/nobody/history").await.status, 404);
}

#[tokio::test]
async fn the_tool_tells_changes() {
    let server = two_revisions().await;
    let call = |arguments: Value| crate::tools::call(&server, "list_changes", arguments);
    let result = call(json!({"kind": "changed"})).await;
    let content = &result["structuredContent"];
    assert_eq!(content["changes"][0]["fields"]["current_version"]["to"], "2", "{result}");
    let result = call(json!({"since": content["next"]})).await;
    assert_eq!(result["structuredContent"]["changes"], json!([]));
    for (arguments, text) in [
        (json!({"since": "tomorrow"}), "since: 'tomorrow' is not a position"),
        (json!({"since": "ffffffff-1"}), "since: the changes since"),
        (json!({"kind": "new"}), "kind: expected added, changed, removed, renamed"),
        (json!({"field": "x"}), "field: expected slug"),
    ] {
        let result = call(arguments).await;
        assert_eq!(result["isError"], true, "{result}");
        assert!(result["content"][0]["text"].as_str().unwrap().starts_with(text), "{result}");
    }
}

#[tokio::test]
async fn the_command_goes_on_after_a_page_that_squashes_to_nothing() {
    let server = TestServer::empty();
    // One more than a page covers.
    let mut records: Vec<Value> =
        (0..5_001).map(|number| versioned(&format!("app-{number:04}"), Some("1"))).collect();
    records.push(versioned("last", Some("1")));
    server.replace_records(&records).await;
    let page = server.get("/changes?since=0&squash=true&slug=last").await.json();
    assert_eq!((&page["changes"], &page["more"]), (&json!([]), &json!(true)));
    for form in [&[][..], &["--json"]] {
        let changes = ["changes", "--since", "0", "--squash", "--slug", "last"];
        let (code, shown, _) = server.run(&[&changes, form].concat());
        assert!(code == 0 && shown.contains("last"), "{shown}");
        assert!(!shown.contains("app-"), "{shown}");
    }
}

#[tokio::test]
async fn the_commands_show_changes_and_versions() {
    let server = two_revisions().await;
    let (code, shown, said) = server.run(&["changes", "--since", "2"]);
    assert_eq!(code, 0, "{said}");
    let lines: Vec<Vec<&str>> =
        shown.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0][..3], ["TIME", "SLUG", "CHANGE"]);
    assert_eq!(lines[1][1..3], ["gamma", "added"], "the last change is first");
    assert_eq!(lines[2][1..4], ["beta", "removed", "1"]);
    assert_eq!(lines[3][1..5], ["alpha", "changed", "1", "2"]);
    assert!(said.contains("continue from here with --since "), "{said}");
    let (_, newest, said) = server.run(&["changes", "--since", "0", "--limit", "2"]);
    let slugs: Vec<&str> =
        newest.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(slugs, ["gamma", "beta"], "the last revision, not the first one");
    assert!(said.starts_with("showing the newest 2 of 5; use --limit or --all\n"), "{said}");
    let (_, all, said) = server.run(&["changes", "--since", "0", "--all"]);
    assert_eq!(all.lines().count(), 6);
    assert!(all.lines().last().unwrap().contains("added"), "the oldest is last: {all}");
    assert!(!said.contains("showing"), "{said}");
    let (_, json, _) = server.run(&["changes", "--kind", "removed", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["changes"][0]["slug"], "beta");
    let (_, all, _) = server.run(&["changes", "--since", "0", "--all", "--json"]);
    let all: Value = serde_json::from_str(&all).unwrap();
    assert_eq!(all["changes"].as_array().unwrap().len(), 5);
    let (code, _, said) = server.run(&["changes", "--since", "ffffffff-1"]);
    assert!(code == 1 && said.contains("are not available"), "{said}");
    assert_eq!(server.run(&["changes", "--kind", "new"]).0, 2);
    let (code, shown, _) = server.run(&["history", "alpha"]);
    let lines: Vec<&str> = shown.lines().collect();
    assert!(code == 0 && lines[1].starts_with(" 2") && lines[2].starts_with(" 1"), "{shown}");
    assert_eq!(server.run(&["history", "nobody"]).0, 1);
}
