//! Checking installed apps: the route, the command, the tool and the client.

use std::{io::Write, process::Stdio};

use appstitch_client::{Client, InventoryQuery, Verdict};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Program, Response, TestServer};

/// An app of the sample that can be compared.
async fn known(server: &TestServer) -> Value {
    let apps = server.get("/apps").await.json();
    let apps = apps.as_array().unwrap();
    let known = |app: &&Value| app["bundle_id"].is_string() && app["current_version"].is_string();
    apps.iter().find(known).unwrap().clone()
}

/// Three installed apps: one is outdated, one is current, one is unknown.
fn rows(app: &Value) -> Value {
    json!([
        {"host": "mac-1", "name": app["name"], "bundle_id": app["bundle_id"], "version": "0.0.1"},
        {"host": "mac-2", "name": app["name"], "bundle_id": app["bundle_id"], "version": app["current_version"]},
        {"host": "mac-2", "name": "=Nobody", "bundle_id": "com.example.nobody", "version": "1"},
    ])
}

async fn check(server: &TestServer, query: &str, body: impl Into<reqwest::Body>) -> Response {
    let path = format!("/inventory/check{query}");
    server.send(server.request(Method::POST, &path).body(body)).await
}

#[tokio::test]
async fn each_app_gets_a_verdict_and_totals_count_them() {
    let server = TestServer::with_sample();
    let app = known(&server).await;
    let response = check(&server, "", rows(&app).to_string()).await;
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(response.header("content-type"), "application/json");
    assert_eq!(response.header("cache-control"), "no-store");
    assert_eq!(response.header("access-control-allow-origin"), "*");
    let report = response.json();
    assert_eq!(report["formats"], json!(["rows"]));
    assert_eq!(report["catalog_version"], server.get("/stats").await.json()["catalog_version"]);
    let verdicts: Vec<&Value> =
        report["apps"].as_array().unwrap().iter().map(|app| &app["verdict"]).collect();
    assert_eq!(verdicts, ["outdated", "current", "unmatched"], "{report}");
    assert_eq!(report["apps"][0]["slug"], app["slug"]);
    assert_eq!(report["apps"][0]["newest_version"], app["current_version"]);
    assert_eq!(report["apps"][0]["matched_by"], "bundle_id");
    let totals = &report["totals"];
    assert_eq!((&totals["rows"], &totals["outdated"]), (&3.into(), &1.into()));
    let filtered = check(&server, "?verdict=outdated", rows(&app).to_string()).await.json();
    assert_eq!(filtered["apps"].as_array().unwrap().len(), 1);
    assert_eq!(filtered["totals"], report["totals"]);
}

#[tokio::test]
async fn the_answer_comes_in_three_forms() {
    let server = TestServer::with_sample();
    let list = rows(&known(&server).await).to_string();
    let report = check(&server, "", list.clone()).await.json();
    let lines = check(&server, "?format=ndjson", list.clone()).await;
    assert_eq!(lines.header("content-type"), "application/x-ndjson");
    let apps: Vec<Value> =
        lines.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(Value::Array(apps), report["apps"]);
    let by_accept = server
        .send(
            server
                .request(Method::POST, "/inventory/check")
                .header("accept", "text/csv")
                .body(list.clone()),
        )
        .await;
    let by_name = check(&server, "?format=csv", list).await;
    assert_eq!(by_accept.body, by_name.body);
    assert_eq!(by_name.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(by_name.header("x-total-count"), "3");
    let table = by_name.text();
    assert!(table.starts_with("host,name,bundle_id,"), "{table}");
    assert!(table.contains("mac-2,'=Nobody,com.example.nobody"), "{table}");
}

#[tokio::test]
async fn what_cannot_be_checked_is_refused_with_a_reason() {
    let server = TestServer::with_sample();
    for (body, status, reason) in [
        (String::new(), 422, "The file is empty"),
        (r#"{"message": "no"}"#.to_owned(), 422, "keys found: 'message'"),
        ("<!DOCTYPE a [<!ENTITY b \"c\">]><plist/>".to_owned(), 422, "it declares entities"),
        ("[".repeat(100_000), 422, "recursion limit"),
        (format!("[{}{{}}]", "{},".repeat(1_000_000)), 413, "more than 100000 entries"),
        (" ".repeat(17 << 20), 413, "larger than 16777216 bytes; compress it"),
    ] {
        let response = check(&server, "", body).await;
        assert_eq!(response.status, status, "{response:?}");
        assert!(response.detail().contains(reason), "{}", response.detail());
    }
    let bomb = zstd::bulk::compress(&vec![b' '; (64 << 20) + 1], 3).unwrap();
    let response = check(&server, "", bomb).await;
    assert_eq!(response.status, 413, "{response:?}");
    for (query, name) in
        [("?format=xml", "format"), ("?verdict=old", "verdict"), ("?suggest=x", "suggest")]
    {
        let response = check(&server, query, "[]").await;
        assert_eq!(response.status, 422, "{query}");
        assert_eq!(response.json()["detail"][0]["loc"], json!(["query", name]));
    }
    let request = server.request(Method::POST, "/inventory/check");
    let response = server.send(request.header("content-encoding", "br").body("[]")).await;
    assert_eq!(response.status, 415, "{response:?}");
    assert_eq!(server.get("/inventory/check").await.status, 405);
    let metrics = server.get("/metrics").await;
    let reserved = "appstitch_memory_reserved_bytes{use=\"inventories\"}";
    assert!(crate::support::series(metrics.text(), reserved) < 1.0, "all is given back");
}

/// Runs `appstitch outdated` with a list on standard input: its exit code, stdout and stderr.
fn outdated(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Program::command()
        .arg("outdated")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[tokio::test]
async fn the_command_shows_what_to_update() {
    let server = TestServer::with_sample();
    let app = known(&server).await;
    let list = rows(&app).to_string();
    let store = format!("sqlite:{}", server.store().display());
    for origin in [["--server", &server.base], ["--store", &store]] {
        let run = |more: &[&str]| outdated(&[&origin[..], more].concat(), &list);
        let (code, table, summary) = run(&["-"]);
        assert_eq!(code, 0, "{summary}");
        assert!(table.trim_start().starts_with("HOST"), "{table}");
        assert!(table.contains("0.0.1") && !table.contains("Nobody"), "{table}");
        assert_eq!(summary, "1 of 3 apps is outdated; 1 is not in the catalog\n");
        assert!(run(&["-", "--all"]).1.contains("unmatched"));
        assert_eq!(run(&["-", "--fail-on-outdated"]).0, 4);
        let report: Value = serde_json::from_str(&run(&["-", "--json", "--all"]).1).unwrap();
        assert_eq!(report, check(&server, "", list.clone()).await.json());
        let table = check(&server, "?format=csv", list.clone()).await;
        assert_eq!(run(&["-", "--csv", "--all"]).1, table.text());
        let (code, _, error) = outdated(&[&origin[..], &["-"]].concat(), "[1]");
        assert_eq!(code, 1, "{error}");
        assert!(error.contains("not a list of installed apps"), "{error}");
    }
    let (code, _, error) = outdated(&["/nowhere/apps.json"], "");
    assert_eq!(code, 2, "{error}");
    assert!(error.contains("cannot read /nowhere/apps.json"), "{error}");
}

#[tokio::test]
async fn what_homebrew_cannot_tell_is_counted() {
    let server = TestServer::empty();
    let casks = r#"[{"token":"one","version":"2.0","auto_updates":true},
        {"token":"two","version":"2.0"}]"#;
    assert_eq!(server.put("/admin/sources/cask_catalog", casks).await.status, 200);
    let check = |list: &str| outdated(&["--server", &server.base, "-"], list);
    let (code, table, said) = check("one 1.0\ntwo 2.0\n");
    assert_eq!((code, table.as_str()), (0, ""), "{said}");
    let (hint, summary) = said.split_once('\n').unwrap();
    assert!(hint.starts_with("hint: Homebrew may not know the versions of apps"), "{said}");
    assert_eq!(summary, "0 of 2 apps are outdated; 1 could not be compared\n");
    assert_eq!(check("two 2.0\n").2, "0 of 1 app is outdated\n");
}

#[cfg(not(target_os = "macos"))]
#[test]
fn without_a_list_the_command_says_how_to_get_one() {
    let (code, table, error) = outdated(&["--server", "http://127.0.0.1:9"], "");
    assert_eq!((code, table.as_str()), (2, ""), "{error}");
    assert!(error.starts_with("error: no list of installed apps: name a file"), "{error}");
    assert!(error.contains("system_profiler SPApplicationsDataType -json > apps.json"), "{error}");
}

#[tokio::test]
async fn the_client_and_the_tool_return_the_same() {
    let server = TestServer::with_sample();
    let list = rows(&known(&server).await);
    let expected = check(&server, "?suggest=true", list.to_string()).await.json();
    let client = Client::new(&server.base).unwrap();
    let query = InventoryQuery { suggest: true, ..InventoryQuery::default() };
    let report = client.check_inventory(list.to_string(), &query).await.unwrap();
    assert_eq!(serde_json::to_value(&report).unwrap(), expected);
    let query = InventoryQuery { verdicts: vec![Verdict::Outdated], ..query };
    let report = client.check_inventory(list.to_string(), &query).await.unwrap();
    assert_eq!(report.apps.len(), 1);
    let refused = client.check_inventory("nothing", &query).await.unwrap_err();
    assert_eq!(refused.status.unwrap(), 422);
    let call = |inventory: Value, verdicts: Value| {
        let arguments = json!({"inventory": inventory, "verdicts": verdicts});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "check_inventory", "arguments": arguments}});
        let request = server
            .request(Method::POST, "/mcp")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .body(message.to_string());
        async { server.send(request).await.json()["result"].clone() }
    };
    let plain = check(&server, "", list.to_string()).await.json();
    let all = call(list.to_string().into(), "all".into()).await;
    assert_eq!(all["structuredContent"], plain, "{all}");
    for verdicts in ["", "outdated, all"] {
        let all = call(list.to_string().into(), verdicts.into()).await;
        assert_eq!(all["structuredContent"], plain, "{verdicts}: {all}");
    }
    let wrong = call(5.into(), Value::Null).await;
    let message = wrong["content"][0]["text"].as_str().unwrap();
    assert!(message.contains("expected a string, an object or an array, got 5"), "{wrong}");
    let outdated = call(list, Value::Null).await;
    assert_eq!(outdated["structuredContent"]["apps"].as_array().unwrap().len(), 1, "{outdated}");
    assert_eq!(outdated["structuredContent"]["totals"], plain["totals"]);
    let wrong = call("nothing".into(), Value::Null).await;
    assert_eq!(wrong["isError"], true);
    assert!(wrong["content"][0]["text"].as_str().unwrap().contains("not a list"), "{wrong}");
}

#[tokio::test]
async fn many_checks_at_once_do_not_keep_readers_waiting() {
    let server = TestServer::with_sample();
    let row = json!({"name": "Some App", "bundle_id": "com.example.some", "version": "1.0"});
    let list = Value::Array(vec![row; 20_000]).to_string();
    let checks = (0..8).map(|_| check(&server, "?verdict=outdated", list.clone()));
    let checks = futures_util::future::join_all(checks);
    let reads = async {
        for _ in 0..50 {
            assert_eq!(server.get("/apps?limit=1").await.status, 200);
        }
    };
    let (responses, ()) = tokio::join!(checks, reads);
    for response in responses {
        assert!([200, 503].contains(&response.status.as_u16()), "{response:?}");
    }
}
