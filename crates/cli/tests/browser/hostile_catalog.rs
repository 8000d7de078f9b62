//! A catalog by somebody who wants to run a script in the reader's browser.
//!
//! The text rule keeps tags out of names, so the names break out of attributes instead. Payloads may
//! contain anything.

use serde_json::{Value, json};

use crate::service::support::{TestServer, ndjson};

/// Leaves every element that a text could be in.
const MARKUP: &str = "--></script></style></title></textarea></pre></code>\
    <script>hacked=1</script><img src=x onerror=hacked=1><svg onload=hacked=1>";

/// Leaves an attribute in either kind of quotes.
const QUOTES: &str = r#"Q" autofocus onfocus="hacked=1" x=' onmouseover='hacked=1' & <3 {{7*7}}"#;

/// A server with the records as they are, and as they were.
pub(crate) async fn serve() -> TestServer {
    let server = TestServer::with_records(&records("1.0")).await;
    let response = server.upload(&ndjson(&records("2.0"))).await;
    assert_eq!(response.status, 200, "{response:?}");
    server
}

fn records(version: &str) -> Vec<Value> {
    let odd_version = format!(r#"{version}" onload="hacked=1"#);
    vec![
        record("hostile", &format!("{version} beta"), &odd_version),
        record("hostile.two+x@y", version, "3.0"),
        json!({"app": {"slug": "script", "name": "javascript alert(1)", "vendor": "A/B ?c=1#d %2F..",
            "current_version": version, "sources": []}, "sources": null}),
    ]
}

fn record(slug: &str, label: &str, cask: &str) -> Value {
    let address = r#"https://example.com/"><script>hacked=1</script>?a='onclick='hacked=1&b=<b>"#;
    let app = json!({
        "slug": slug, "name": format!("{QUOTES} {slug}"), "vendor": QUOTES, "current_version": cask,
        "bundle_id": r#"com.example."onclick="hacked=1"#, "download_url": address,
        "install_method": "dmg", "expected_team_id": "ABCDE12345",
        "sources": ["label_tool", "cask_catalog", "recipe_index"],
    });
    let label = json!({"label_name": slug, "label_url": address, "raw": {
        "name": MARKUP, "type": "dmg", "appNewVersion": label, "downloadURL": MARKUP,
        "appName": MARKUP, "blockingProcesses": [MARKUP], MARKUP: MARKUP,
    }});
    let cask = json!({"token": slug, "entry_json": {
        "token": slug, "version": cask, "name": [MARKUP], "desc": MARKUP,
        "homepage": "javascript:hacked=1", "url": MARKUP, "deprecated": true,
        "deprecation_reason": MARKUP, "caveats": MARKUP, "artifacts": [{"app": [MARKUP]}],
    }});
    let recipe = json!({"identifier": QUOTES, "name": QUOTES, "shortname": QUOTES, "repo": QUOTES,
        "path": QUOTES, "parent_identifier": QUOTES, "inferred_type": "munki", "recipe_url": address});
    json!({"app": app, "sources": {"label_tool": label, "cask_catalog": cask,
        "recipe_index": {"recipes": [recipe]}}})
}
