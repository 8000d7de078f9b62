//! The tools over HTTP, compared with the HTTP API and the decisions.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Response, TestServer, record};

const PLAIN: [(&str, &str); 2] =
    [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];

async fn send(server: &TestServer, message: &Value) -> Response {
    let mut request = server.request(Method::POST, "/mcp").body(message.to_string());
    for (name, value) in PLAIN {
        request = request.header(name, value);
    }
    server.send(request).await
}

async fn ask(server: &TestServer, method: &str, parameters: Value) -> Value {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters});
    let response = send(server, &message).await;
    assert_eq!(response.header("content-type"), "application/json", "{response:?}");
    response.json()
}

/// Calls a tool and returns its result. Calls it twice, directly and through the SDK; both results
/// must be the same.
pub(crate) async fn call(server: &TestServer, tool: &str, arguments: Value) -> Value {
    let short = ask(server, "tools/call", json!({"name": tool, "arguments": arguments})).await;
    let full = json!({"name": tool, "arguments": arguments, "_meta": {}});
    let full = ask(server, "tools/call", full).await;
    assert_eq!(short, full, "{tool} {arguments}");
    short["result"].clone()
}

/// The structured content of a successful call; its text must be the same JSON.
async fn content(server: &TestServer, tool: &str, arguments: Value) -> Value {
    let result = call(server, tool, arguments).await;
    assert_eq!(result["isError"], false, "{result}");
    let text = result["content"][0]["text"].as_str().unwrap();
    let structured = result["structuredContent"].clone();
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), structured);
    structured
}

/// The message of a failed call.
async fn failure(server: &TestServer, tool: &str, arguments: Value) -> String {
    let result = call(server, tool, arguments).await;
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(result.get("structuredContent"), None);
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

fn slugs(apps: &Value) -> Vec<String> {
    let apps = apps.as_array().unwrap();
    apps.iter().map(|app| app["slug"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn every_tool_returns_what_its_route_does_for_every_app() {
    let server = TestServer::with_sample();
    let apps = server.get("/apps?limit=1000").await.json();
    assert!(slugs(&apps).len() >= 10);
    for slug in slugs(&apps) {
        let named = json!({"slug": slug});
        let app = server.get(&format!("/apps/{slug}")).await;
        assert_eq!(content(&server, "get_app", named.clone()).await, app.json());
        let sources = server.get(&format!("/apps/{slug}/sources")).await;
        assert_eq!(content(&server, "get_app_sources", named.clone()).await, sources.json());
        let text = call(&server, "get_app_sources", named.clone()).await;
        assert_eq!(text["content"][0]["text"], sources.text(), "the same bytes");
        let label = server.post(&format!("/apps/{slug}/generate-label")).await;
        if label.status == 200 {
            let made = content(&server, "generate_label_tool_label", named).await;
            assert_eq!(made, label.json());
            assert_eq!(made["label_name"], slug);
        } else {
            assert_eq!(failure(&server, "generate_label_tool_label", named).await, label.detail());
        }
    }
    let stats = server.get("/stats").await.json();
    let summary = content(&server, "get_catalog_summary", json!({})).await;
    assert_eq!(summary, json!({"total_apps": stats["total_apps"], "sources": stats["sources"]}));
    let drift = server.get("/apps/drift?limit=25").await.json();
    assert!(drift["total_with_drift"].as_u64().unwrap() > 0);
    assert_eq!(content(&server, "list_drift", json!({})).await, drift);
    let paged = server.get("/apps/drift?limit=1&offset=1&source=label_tool").await.json();
    let arguments = json!({"limit": 1, "offset": 1, "source": "label_tool", "vendor": null});
    assert_eq!(content(&server, "list_drift", arguments).await, paged);
    let everything = content(&server, "search_apps", json!({"query": "", "limit": 100})).await;
    assert_eq!(everything["result"], apps);
}

#[tokio::test]
async fn search_looks_at_four_fields_and_the_other_names_whatever_the_case() {
    let server = TestServer::with_sample();
    let apps = server.get("/apps?limit=1000").await.json();
    for query in ["FIRE", "mozilla", "com.", "o", "obsidian", "nothing like it", "é"] {
        let found = content(&server, "search_apps", json!({"query": query, "limit": 100})).await;
        let wanted = query.to_lowercase();
        let fits = |app: &&Value| {
            ["slug", "name", "vendor", "bundle_id"].iter().any(|field| {
                app[*field].as_str().is_some_and(|text| text.to_lowercase().contains(&wanted))
            })
        };
        let expected: Vec<&Value> = apps.as_array().unwrap().iter().filter(fits).collect();
        assert_eq!(
            found["result"].as_array().unwrap().iter().collect::<Vec<_>>(),
            expected,
            "{query}"
        );
    }
    let label = "    name=\"A\"\n    type=\"dmg\"\n    downloadURL=\"https://example.com/a.dmg\"";
    let archive = crate::sources::label_archive(&[("first|secondname", label)]);
    let put = server.put("/admin/sources/label_tool?allow_shrink=true", archive).await;
    assert_eq!(put.status, 200);
    let found = content(&server, "search_apps", json!({"query": "SecondName"})).await;
    assert_eq!(slugs(&found["result"]), ["first"]);
}

#[tokio::test]
async fn if_too_many_apps_contain_a_text_the_best_matches_are_listed() {
    let named = |slug: &str, name: &str| {
        let mut record = record(slug);
        record["app"]["name"] = json!(name);
        record
    };
    let server = TestServer::with_records(&[
        named("aaa", "An Alphabet of Sample Codes"),
        named("bbb", "Resampler"),
        named("sample", "Sample"),
        named("zzz", "Sample Player"),
    ])
    .await;
    let found = async |limit: usize| {
        let arguments = json!({"query": "sample", "limit": limit});
        slugs(&content(&server, "search_apps", arguments).await["result"])
    };
    assert_eq!(found(4).await, ["aaa", "bbb", "sample", "zzz"]);
    assert_eq!(found(3).await, ["aaa", "sample", "zzz"]);
    assert_eq!(found(1).await, ["sample"]);
}

#[tokio::test]
async fn another_name_of_an_app_is_followed_and_named() {
    let server = TestServer::empty();
    let cask = json!([{"token": "sample", "old_tokens": ["old-sample"], "name": ["Sample"],
        "version": "2.0", "url": "https://example.com/Sample-2.0.dmg",
        "artifacts": [{"app": ["Sample.app"]}]}]);
    let put = server.put("/admin/sources/cask_catalog", cask.to_string()).await;
    assert_eq!(put.status, 200, "{put:?}");
    for (tool, path) in [
        ("get_app", ""),
        ("get_app_sources", "/sources"),
        ("get_app_details", "/details"),
        ("get_app_history", "/history"),
        ("get_app_provenance", "/provenance"),
    ] {
        let route = server.get(&format!("/apps/sample{path}")).await.json();
        assert_eq!(content(&server, tool, json!({"slug": "sample"})).await, route, "{tool}");
        let followed = call(&server, tool, json!({"slug": "OLD-sample"})).await;
        assert_eq!(followed["structuredContent"], route, "{tool}");
        let note = followed["content"][1]["text"].as_str().unwrap();
        assert!(note.contains("\"OLD-sample\" is another name of") && note.contains("\"sample\""));
    }
    let label = call(&server, "generate_label_tool_label", json!({"slug": "old-sample"})).await;
    assert_eq!(label["structuredContent"]["label_name"], "sample");
    let changes = call(&server, "list_changes", json!({"slug": "old-sample"})).await;
    assert_eq!(changes["structuredContent"]["changes"][0]["slug"], "sample");
}

#[tokio::test]
async fn a_deprecated_app_is_named_beside_its_record() {
    let server = TestServer::empty();
    let cask = json!([{"token": "aging", "name": ["Aging"], "version": "1.0", "deprecated": true,
        "deprecation_date": "2026-05-09", "deprecation_reason": "discontinued",
        "url": "https://example.com/Aging.dmg", "artifacts": [{"app": ["Aging.app"]}]}]);
    let put = server.put("/admin/sources/cask_catalog", cask.to_string()).await;
    assert_eq!(put.status, 200, "{put:?}");
    let app = call(&server, "get_app", json!({"slug": "aging"})).await;
    assert_eq!(app["structuredContent"], server.get("/apps/aging").await.json());
    let note = "Homebrew deprecated this app on 2026-05-09: it is discontinued.";
    assert_eq!(app["content"][1]["text"], note, "{app}");
    let (_, table, stderr) = server.run(&["app", "aging"]);
    assert!(!table.contains("Homebrew"), "{table}");
    assert_eq!(stderr, "Homebrew deprecated this app on 2026-05-09: it is discontinued\n");
}

#[tokio::test]
async fn unknown_vendors_and_sources_are_named_with_those_that_exist() {
    let server = TestServer::with_sample();
    let note = async |tool: &str, arguments: Value| {
        let result = call(&server, tool, arguments).await;
        assert_eq!(result["isError"], false, "{result}");
        result["content"][1]["text"].as_str().unwrap().to_owned()
    };
    let vendor = note("list_drift", json!({"vendor": "Mozila"})).await;
    assert_eq!(vendor, "No app has the vendor \"Mozila\". Similar vendors: \"Mozilla\".");
    let vendor = note("list_changes", json!({"vendor": "qqq"})).await;
    assert_eq!(vendor, "No app has the vendor \"qqq\". List the vendors with list_categories.");
    let source = note("find_app", json!({"query": "zoom", "source": "homebrew"})).await;
    assert!(source.contains("cask_catalog (Homebrew Cask)"), "{source}");
    let source = note("list_drift", json!({"source": "recipe_index"})).await;
    assert_eq!(source, "recipe_index states no versions, so it has no drift.");
    let source = note("list_drift", json!({"source": "mdm_installer"})).await;
    assert_eq!(source, "mdm_installer is only compared if include contains \"mdm_installer\".");
    let list = call(
        &server,
        "list_drift",
        json!({"include": ["mdm_installer"], "source": "mdm_installer"}),
    );
    assert_eq!(list.await["content"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn versions_and_the_freshness_of_sources_are_those_of_the_routes() {
    let server = TestServer::with_sample();
    let compared = content(&server, "compare_versions", json!({"a": "4.32", "b": "v4.32.0"})).await;
    assert_eq!(compared, server.get("/versions/compare?a=4.32&b=v4.32.0").await.json());
    assert_eq!(compared["order"], "same");
    let empty = failure(&server, "compare_versions", json!({"a": "", "b": "1"})).await;
    assert_eq!(empty, "a: expected a version, got an empty string");
    let status = content(&server, "get_source_status", json!({})).await;
    assert_eq!(status, server.get("/sources").await.json());
}

#[tokio::test]
async fn limits_are_clamped_and_the_newest_come_first() {
    let server = TestServer::with_sample();
    let count = async |arguments: Value| {
        let found = content(&server, "search_apps", arguments).await;
        found["result"].as_array().unwrap().len()
    };
    assert_eq!(count(json!({"query": "", "limit": 3})).await, 3);
    assert_eq!(count(json!({"query": "", "limit": -7})).await, 1);
    assert!(count(json!({"query": "", "limit": 100_000})).await >= 10);
    let before = content(&server, "list_recent_changes", json!({"limit": 100})).await;
    for slug in ["zz-new", "aa-newest"] {
        assert_eq!(server.put_record(&record(slug)).await.status, 200);
    }
    let after = content(&server, "list_recent_changes", json!({})).await;
    assert_eq!(slugs(&after["result"])[..2], ["aa-newest", "zz-new"]);
    assert_eq!(slugs(&after["result"])[2..], slugs(&before["result"])[..23], "25 in all");
}

#[tokio::test]
async fn categories_are_sorted_and_complete() {
    let server = TestServer::with_sample();
    let categories = content(&server, "list_categories", json!({})).await;
    assert_eq!(
        categories["install_methods"],
        json!(["dmg", "pkg", "zip", "tbz", "pkgInDmg", "pkgInZip", "appInDmgInZip"])
    );
    assert_eq!(
        categories["sources"],
        json!(["cask_catalog", "label_tool", "mdm_installer", "recipe_index"])
    );
    let apps = server.get("/apps?limit=1000").await.json();
    let vendors = apps.as_array().unwrap().iter().filter_map(|app| app["vendor"].as_str());
    let vendors: std::collections::BTreeSet<&str> = vendors.collect();
    assert_eq!(categories["vendors"], json!(vendors));
}

#[tokio::test]
async fn failures_are_results_and_the_conversation_goes_on() {
    let server = TestServer::with_sample();
    for tool in ["get_app", "get_app_sources", "generate_label_tool_label"] {
        let unknown = failure(&server, tool, json!({"slug": "no'body"})).await;
        assert_eq!(unknown, "App with slug 'no'body' not found");
        let missing = failure(&server, tool, json!({})).await;
        assert!(missing.starts_with("slug: "), "{missing}");
        let wrong = failure(&server, tool, json!({"slug": 7})).await;
        assert!(wrong.starts_with("slug: "), "{wrong}");
    }
    let similar = failure(&server, "get_app", json!({"slug": "obsidain"})).await;
    assert_eq!(similar, "App with slug 'obsidain' not found. Similar slugs: \"obsidian\".");
    let extra = failure(&server, "search_apps", json!({"query": "", "lim": 3})).await;
    assert!(extra.starts_with("lim: ") && extra.contains("limit"), "{extra}");
    let unknown = ask(&server, "tools/call", json!({"name": "no_tool", "arguments": {}})).await;
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert!(unknown["error"]["message"].as_str().unwrap().contains("no_tool"));
    let nonsense = send(&server, &json!({"jsonrpc": "2.0", "id": 1, "method": "no/such"})).await;
    assert_eq!(nonsense.json()["error"]["code"], -32601);
    assert_eq!(content(&server, "get_app", json!({"slug": "zoom"})).await["slug"], "zoom");
    let long = failure(&server, "get_app", json!({"slug": "x".repeat(100_000)})).await;
    assert!(long.chars().count() < 2100, "{}", long.len());
    for misfit in [json!({"name": "get_app", "arguments": "{}"}), json!({"name": 5})] {
        assert_eq!(ask(&server, "tools/call", misfit).await["error"]["code"], -32602);
    }
}

#[tokio::test]
async fn what_is_no_message_is_reported() {
    let server = TestServer::with_sample();
    for (body, code) in [
        ("", -32700),
        ("hello", -32700),
        ("{}", -32600),
        ("[]", -32600),
        (r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"\ud800"}}"#, -32700),
    ] {
        let mut request = server.request(Method::POST, "/mcp").body(body.to_owned());
        for (name, value) in PLAIN {
            request = request.header(name, value);
        }
        let response = server.send(request).await;
        assert_eq!(response.status, 400, "{body}");
        assert_eq!(response.json()["error"]["code"], code, "{body}");
        if body.contains("\"id\":9") {
            assert_eq!(response.json()["id"], 9, "the error has the id of the request");
        }
    }
    let refused = server.get("/mcp").await;
    assert_eq!((refused.status.as_u16(), refused.detail().as_str()), (405, "Method Not Allowed"));
    assert_eq!(refused.header("allow"), "POST, OPTIONS");
}

#[tokio::test]
async fn tools_are_described_for_a_model() {
    let server = TestServer::with_sample();
    let listed = ask(&server, "tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().unwrap().clone();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "get_catalog_summary",
            "find_app",
            "search_apps",
            "get_app",
            "list_drift",
            "list_categories",
            "generate_label_tool_label",
            "get_app_sources",
            "list_recent_changes",
            "list_changes",
            "check_inventory",
            "get_app_details",
            "get_app_history",
            "get_app_provenance",
            "compare_versions",
            "get_source_status",
            "export_app",
        ]
    );
    for tool in &tools {
        assert!(tool["description"].as_str().unwrap().len() > 80, "{tool}");
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert_eq!(tool["outputSchema"]["type"], "object");
        let annotations = &tool["annotations"];
        assert_eq!(annotations["readOnlyHint"], true);
        assert_eq!(annotations["idempotentHint"], true);
        assert_eq!(annotations["openWorldHint"], false);
    }
    let size = listed.to_string().len();
    assert!(size < 20_000, "an assistant reads all of it first: {size} bytes");
    for product in ["Installomator", "Homebrew", "AutoPkg", "Jamf", "App Store"] {
        assert!(listed.to_string().contains(product), "{product}");
    }
    insta::assert_json_snapshot!("tools", tools);
}

#[tokio::test]
async fn resources_and_prompts_can_be_read_and_slugs_completed() {
    let server = TestServer::with_sample();
    let listed = ask(&server, "resources/list", json!({})).await;
    let uris: Vec<&str> = listed["result"]["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|resource| resource["uri"].as_str().unwrap())
        .collect();
    assert_eq!(uris, ["catalog://summary", "catalog://categories"]);
    let read = async |uri: &str| ask(&server, "resources/read", json!({ "uri": uri })).await;
    let summary = read("catalog://summary").await;
    let text = summary["result"]["contents"][0]["text"].as_str().unwrap();
    let expected = content(&server, "get_catalog_summary", json!({})).await;
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), expected);
    let app = read("catalog://apps/zoom").await;
    let text = app["result"]["contents"][0]["text"].as_str().unwrap();
    assert_eq!(text, server.get("/apps/zoom").await.text());
    let unknown = read("catalog://apps/nobody").await;
    assert_eq!(unknown["error"]["message"], "App with slug 'nobody' not found");
    assert!(read("file:///etc/passwd").await["error"].is_object());

    let templates = ask(&server, "resources/templates/list", json!({})).await;
    let template = &templates["result"]["resourceTemplates"][0]["uriTemplate"];
    assert_eq!(*template, "catalog://apps/{slug}");
    let complete = async |reference: Value, value: &str| {
        let argument = json!({"name": "slug", "value": value});
        let asked = json!({"ref": reference, "argument": argument});
        ask(&server, "completion/complete", asked).await["result"]["completion"].clone()
    };
    let of_app = json!({"type": "ref/resource", "uri": template});
    let all = slugs(&server.get("/apps?limit=1000").await.json());
    let expected: Vec<&String> = all.iter().filter(|slug| slug.starts_with('m')).collect();
    let completion = complete(of_app.clone(), "m").await;
    assert_eq!(completion["values"], json!(expected));
    assert_eq!(
        (&completion["total"], &completion["hasMore"]),
        (&json!(expected.len()), &json!(false))
    );
    assert_eq!(complete(of_app, "zzz").await["values"], json!([]));

    let prompts = ask(&server, "prompts/list", json!({})).await;
    let prompts = prompts["result"]["prompts"].as_array().unwrap().clone();
    assert_eq!(prompts.len(), 3);
    for prompt in &prompts {
        let argument = prompt["arguments"][0]["name"].as_str();
        let arguments = argument.map_or(json!({}), |name| json!({ name: "zoom" }));
        let got = json!({"name": prompt["name"], "arguments": arguments});
        let got = ask(&server, "prompts/get", got).await;
        let text = got["result"]["messages"][0]["content"]["text"].as_str().unwrap();
        assert!(argument.is_none() || text.contains("\"zoom\""), "{text}");
    }
    let missing = ask(&server, "prompts/get", json!({"name": "audit_app_coverage"})).await;
    assert!(missing["error"]["message"].as_str().unwrap().starts_with("slug: "), "{missing}");
    let of_prompt = json!({"type": "ref/prompt", "name": "audit_app_coverage"});
    assert_eq!(complete(of_prompt, "zo").await["values"], json!(["zoom"]));
}

#[tokio::test]
async fn strange_hosts_and_origins_stay_outside() {
    let server = TestServer::with_sample();
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "get_app", "arguments": {"slug": "zoom"}}});
    let with = async |name: &str, value: &str| {
        let mut request = server.request(Method::POST, "/mcp").body(call.to_string());
        for (name, value) in PLAIN {
            request = request.header(name, value);
        }
        server.send(request.header(name, value)).await
    };
    assert_eq!(with("origin", "https://evil.example").await.status, 403);
    assert_eq!(with("host", "evil.example").await.status, 403);
    let local = with("origin", "http://localhost:3000").await;
    assert_eq!(local.status, 200);
    assert_eq!(local.header("access-control-allow-origin"), "http://localhost:3000");
    assert_eq!(local.header("vary"), "origin");
    let program = with("x-nothing", "1").await;
    assert_eq!((program.status.as_u16(), program.header("access-control-allow-origin")), (200, ""));
    let asked = server
        .request(Method::OPTIONS, "/mcp")
        .header("origin", "http://127.0.0.1:5173")
        .header("access-control-request-method", "POST");
    let asked = server.send(asked).await;
    assert_eq!(asked.status, 204);
    assert!(asked.header("access-control-allow-headers").contains("mcp-protocol-version"));
    assert_eq!(server.get("/mcp").await.status, 405);
    let large = server.request(Method::POST, "/mcp").body(vec![b' '; (1 << 20) + 1]);
    assert_eq!(server.send(large).await.status, 413);
}

#[tokio::test]
async fn behind_a_proxy_the_public_name_is_allowed_by_a_setting() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(&folder.path().join("catalog.db"), &[], |command| {
        command.env("APPSTITCH_TOOL_HOSTS", "apps.example");
        command.env("APPSTITCH_TOOL_ORIGINS", "https://chat.example");
    });
    let status = async |host: &str, origin: &str| {
        let mut request =
            server.request(Method::POST, "/mcp").header("host", host).header("origin", origin);
        for (name, value) in PLAIN {
            request = request.header(name, value);
        }
        let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        server.send(request.body(list.to_string())).await.status.as_u16()
    };
    assert_eq!(status("apps.example", "https://chat.example").await, 200);
    assert_eq!(status("apps.example:443", "https://chat.example:443").await, 200);
    assert_eq!(status("127.0.0.1", "https://chat.example").await, 403);
    assert_eq!(status("apps.example", "http://localhost").await, 403);
}
