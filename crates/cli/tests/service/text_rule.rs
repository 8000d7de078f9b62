//! The text rule, by the examples of docs/contributing/text.md, and slugs that differ only in
//! case.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{TestServer, ndjson};

/// The rows of the table below a heading, as the texts between backticks.
fn examples(heading: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/contributing/text.md");
    let page = std::fs::read_to_string(path).unwrap();
    let section = page.split(heading).nth(1).unwrap().split("\n## ").next().unwrap().to_owned();
    let rows = section.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    let cells = rows.map(|row| {
        let mut texts = row.split('`').skip(1).step_by(2).map(unescaped);
        let second = texts.clone().last().unwrap();
        (texts.next().unwrap(), second)
    });
    cells.collect()
}

/// The text with the characters that `\u{…}` stands for.
fn unescaped(text: &str) -> String {
    let mut parts = text.split("\\u{");
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once('}').unwrap();
        result.push(u32::from_str_radix(number, 16).ok().and_then(char::from_u32).unwrap());
        result.push_str(rest);
    }
    result
}

fn named(slug: &str, name: &str) -> Value {
    json!({"app": {"slug": slug, "name": name, "vendor": name, "sources": []}, "sources": null})
}

fn cask(token: &str, name: &str) -> Value {
    json!({"token": token, "name": [name], "desc": name, "version": "1.0",
        "url": "https://example.com/a.dmg", "artifacts": [{"app": ["Sample.app"]}]})
}

async fn upload_casks(server: &TestServer, casks: &[Value]) -> Value {
    let file = Value::from(casks.to_vec()).to_string();
    let response = server.put("/admin/sources/cask_catalog?allow_shrink=true", file).await;
    assert_eq!(response.status, 200, "{response:?}");
    response.json()
}

#[tokio::test]
async fn normalized_examples_are_served_as_documented() {
    let examples = examples("## Normalized");
    assert!(examples.len() >= 8, "{examples:?}");
    for (text, served) in &examples {
        let server = TestServer::with_records(&[named("manual", text)]).await;
        let manual = server.get("/apps/manual").await.json();
        assert_eq!((&manual["name"], &manual["vendor"]), (&json!(served), &json!(served)));
        upload_casks(&server, &[cask("stitched", text)]).await;
        assert_eq!(server.get("/apps/stitched").await.json()["name"], json!(served), "{text:?}");
        let details = server.get("/apps/stitched/details").await.json();
        assert_eq!(details["description"], json!(served), "{text:?}");
    }
}

#[tokio::test]
async fn rejected_examples_are_rejected_as_documented() {
    let examples = examples("## Rejected");
    assert!(examples.len() >= 14, "{examples:?}");
    let server = TestServer::empty();
    for (text, reason) in &examples {
        let response = server.put_record(&named("manual", text)).await;
        assert_eq!(response.status, 422, "{text:?}: {response:?}");
        assert!(response.detail().contains(reason.as_str()), "{text:?}: {}", response.detail());
        assert!(!response.detail().contains(char::is_control), "{}", response.detail());

        let mut record = named("manual", "Sample");
        record["app"]["vendor"] = json!(text);
        record["app"]["current_version"] = json!(text);
        let response = server.upload(&record.to_string()).await.json();
        let vendor_reason = reason.replacen("name", "vendor omitted: vendor", 1);
        assert!(
            response["problems"][0]["why"].as_str().unwrap().contains(&vendor_reason),
            "{response}"
        );
        let served = server.get("/apps/manual").await.json();
        assert_eq!((&served["vendor"], &served["current_version"]), (&Value::Null, &Value::Null));

        upload_casks(&server, &[cask("stitched", text)]).await;
        let stitched = server.get("/apps/stitched").await.json();
        assert_eq!(stitched["name"], "stitched", "{text:?}");
        assert_eq!(server.get("/apps/stitched/details").await.json()["description"], Value::Null);
    }
}

#[tokio::test]
async fn a_title_or_a_recipe_with_a_hostile_name_is_rejected_alone() {
    let server = TestServer::empty();
    let titles = json!({"results": [
        {"id": "1", "titleName": "<img src=x"}, {"id": "2", "titleName": "Sample"},
    ]});
    let response = server.put("/admin/sources/mdm_installer", titles.to_string()).await.json();
    assert_eq!(
        (&response["accepted"], &response["rejected"]),
        (&json!(1), &json!(1)),
        "{response}"
    );
    assert_eq!(response["problems"][0]["why"], "title contains HTML: use plain text");

    let recipe = |path: &str| json!({"name": "Sample\u{202e}", "path": path, "repo": "a/b"});
    let index = json!({"identifiers": {"com.example.a": recipe("Sample.pkg.recipe"),
        "com.example.b": recipe("Sam\u{2028}ple.pkg.recipe")}});
    let response = server.put("/admin/sources/recipe_index", index.to_string()).await.json();
    assert_eq!(
        (&response["accepted"], &response["rejected"]),
        (&json!(1), &json!(1)),
        "{response}"
    );
}

#[tokio::test]
async fn payloads_of_a_manual_record_follow_the_rule() {
    let server = TestServer::empty();
    let record = json!({"app": {"slug": "a", "name": "A", "sources": []}, "sources": {
        "cask_catalog": {"token": "a\u{202e}", "entry_json": {}},
        "mdm_installer": {"title": " Sam\u{200b}ple ", "source": "Jamf", "host": "<b>"},
        "recipe_index": {"recipes": [{"identifier": "x\ny", "repo": "r", "path": "p"}]},
    }});
    let response = server.upload(&record.to_string()).await.json();
    let why: Vec<&str> = response["problems"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["why"].as_str())
        .collect();
    assert_eq!(
        why,
        [
            "sources.cask_catalog omitted: token contains a direction override: use plain text",
            "sources.recipe_index.recipes[0] omitted: identifier contains a control character: use plain text",
        ]
    );
    let sources = server.get("/apps/a/sources").await.json();
    assert_eq!(sources["mdm_installer"]["title"], "Sample");
    assert_eq!(sources["mdm_installer"]["host"], Value::Null);
    assert_eq!((&sources["cask_catalog"], &sources["recipe_index"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn manual_slugs_that_differ_in_case_are_one() {
    let server = TestServer::empty();
    let batch = ndjson(&[named("Sample", "First"), named("sample", "Second")]);
    let response = server.upload(&batch).await.json();
    assert_eq!(response["accepted"], 1, "{response}");
    let why = "the slug 'sample' differs from 'Sample' only in case; 'Sample' is used";
    assert_eq!(response["problems"][0]["why"], why);
    assert_eq!(server.get("/apps/Sample").await.json()["name"], "First");
    assert_eq!(server.get("/apps/sample").await.status, 404);
    let response = server.put_record(&named("sample", "Third")).await;
    assert_eq!(response.status, 422, "{response:?}");
    assert!(response.detail().contains("'Sample' only in case"), "{}", response.detail());

    // A batch replaces the other spelling, even if an unreadable line keeps all other records.
    let batch = format!("{}\n{{\"app\":7}}", named("sample", "Fourth"));
    let response = server.put("/admin/records?allow_shrink=true", batch).await;
    assert_eq!(response.json()["apps"]["total"], 1, "{response:?}");
    assert_eq!(server.get("/apps/sample").await.json()["name"], "Fourth");
}

#[tokio::test]
async fn a_manual_record_replaces_a_stitched_one_in_any_case() {
    let server = TestServer::empty();
    upload_casks(&server, &[cask("sample", "Cask"), cask("other", "Other")]).await;
    server.put_record(&named("Sample", "Manual")).await;
    assert_eq!(server.get("/stats").await.json()["total_apps"], 2);
    assert_eq!(server.get("/apps/sample").await.status, 404);
    assert_eq!(server.get("/apps/Sample").await.json()["name"], "Manual");
    server.delete("/admin/records/Sample").await;
    assert_eq!(server.get("/apps/sample").await.json()["name"], "Cask");
}

#[tokio::test]
async fn a_cask_whose_token_differs_in_case_gets_a_slug_of_its_own() {
    let server = TestServer::empty();
    for order in [["Sample", "sample"], ["sample", "Sample"]] {
        upload_casks(&server, &order.map(|token| cask(token, token))).await;
        assert_eq!(server.get("/apps/Sample").await.json()["name"], "Sample");
        let other = server.get("/apps/sample-cask/sources").await.json();
        assert_eq!(other["cask_catalog"]["token"], "sample");
        assert_eq!(server.get("/apps/sample").await.status, 404);
    }
}
