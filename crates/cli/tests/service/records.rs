//! Records, sources, the title-code index and statistics.

use serde_json::{Value, json};

use crate::support::{TestServer, app, record};

#[tokio::test]
async fn an_app_has_every_key_in_order_and_null_when_absent() {
    let server = TestServer::with_records(&[record("plain")]).await;
    let response = server.get("/apps/plain").await;
    assert_eq!(response.status, 200);
    assert_eq!(response.header("content-type"), "application/json");
    assert_eq!(
        response.text(),
        concat!(
            r#"{"slug":"plain","bundle_id":null,"name":"PLAIN","vendor":null,"current_version":null,"#,
            r#""latest_release_date":null,"download_url":null,"install_method":null,"#,
            r#""expected_team_id":null,"sha256":null,"sources":[]}"#
        )
    );
}

#[tokio::test]
async fn a_full_app_comes_back_as_it_was_given() {
    let full = json!({
        "slug": "full", "bundle_id": "com.example.full", "name": "Full", "vendor": "Example",
        "current_version": "1.2.3", "latest_release_date": "2026-03-05",
        "download_url": "https://example.com/full.dmg", "install_method": "pkgInDmg",
        "expected_team_id": "ABCDE12345", "sha256": "0123456789abcdef".repeat(4),
        "sources": ["label_tool", "cask_catalog", "recipe_index", "mdm_installer"],
    });
    let server = TestServer::with_records(&[json!({"app": full, "sources": null})]).await;
    assert_eq!(server.get("/apps/full").await.json(), full);
    assert_eq!(server.get("/apps?vendor=example").await.json(), json!([full]));
}

#[tokio::test]
async fn sources_have_five_keys_and_raw_payloads_are_verbatim() {
    let raw = r#"{"z":1.50,"a":{"name":"$(shell)","big":12345678901234567890123},"a":null}"#;
    let line = format!(
        r#"{{"app":{{"slug":"raw","name":"Raw","sources":["cask_catalog"]}},"sources":{{"cask_catalog":{{"token":"raw","entry_json":{raw}}}}}}}"#
    );
    let server = TestServer::empty();
    assert_eq!(server.upload(&line).await.json()["accepted"], 1);
    assert_eq!(
        server.get("/apps/raw/sources").await.text(),
        format!(
            r#"{{"label_tool":null,"cask_catalog":{{"token":"raw","entry_json":{raw}}},"recipe_index":null,"store_listing":null,"mdm_installer":null}}"#
        )
    );
}

#[tokio::test]
async fn recipes_without_names_are_served_with_nulls() {
    let entry = json!({"identifier": "com.example.shared", "name": null, "shortname": null, "repo": "r",
        "path": "p", "parent_identifier": null, "inferred_type": null, "recipe_url": null});
    let mut given = app("recipes");
    given["sources"] = json!(["recipe_index"]);
    let server = TestServer::with_records(&[
        json!({"app": given, "sources": {"recipe_index": {"recipes": [entry]}}}),
    ])
    .await;
    let sources = server.get("/apps/recipes/sources").await.json();
    assert_eq!(sources["recipe_index"]["recipes"], json!([entry]));
}

#[tokio::test]
async fn a_record_without_source_detail_has_every_source_null() {
    let server = TestServer::with_records(&[record("leftover")]).await;
    let response = server.get("/apps/leftover/sources").await;
    assert_eq!(response.status, 200);
    assert_eq!(
        response.text(),
        r#"{"label_tool":null,"cask_catalog":null,"recipe_index":null,"store_listing":null,"mdm_installer":null}"#
    );
}

#[tokio::test]
async fn slugs_with_signs_are_found_in_either_spelling() {
    let server = TestServer::with_records(&[record("notepad++"), record("firefox@beta")]).await;
    for path in
        ["/apps/notepad++", "/apps/notepad%2B%2B", "/apps/firefox@beta", "/apps/firefox%40beta"]
    {
        assert_eq!(server.get(path).await.status, 200, "{path}");
    }
}

fn with_code(slug: &str, code: Option<&str>) -> Value {
    let mut given = app(slug);
    given["sources"] = json!(["mdm_installer"]);
    json!({"app": given, "sources": {"mdm_installer": {"title": slug, "source": "Jamf", "mgmt_id": code}}})
}

#[tokio::test]
async fn the_title_code_index_maps_codes_to_slugs() {
    let server = TestServer::with_records(&[
        with_code("b", Some("0F5")),
        with_code("a", Some("0F5")),
        with_code("c", Some("17")),
        with_code("d", None),
    ])
    .await;
    assert_eq!(server.get("/apps/jamf-index").await.text(), r#"{"0F5":["a","b"],"17":["c"]}"#);
    assert_eq!(TestServer::empty().get("/apps/jamf-index").await.text(), "{}");
}

#[tokio::test]
async fn stats_count_apps_and_sources_and_name_the_revision() {
    let server = TestServer::empty();
    let stats = server.get("/stats").await;
    assert_eq!(
        stats.text(),
        concat!(
            r#"{"total_apps":0,"sources":{"label_tool":0,"cask_catalog":0,"mdm_installer":0,"recipe_index":0},"#,
            r#""last_refresh":null,"catalog_sha":null,"catalog_version":null,"manual_records":0}"#
        )
    );
    assert_eq!(stats.header("cache-control"), "no-cache");
    assert_eq!(stats.header("etag"), "");

    let mut given = app("a");
    given["sources"] = json!(["recipe_index", "label_tool"]);
    server.upload(&format!("{}\n{}", json!({"app": given, "sources": null}), record("b"))).await;
    let stats = server.get("/stats").await.json();
    assert_eq!(stats["total_apps"], 2);
    assert_eq!(stats["manual_records"], 2);
    assert_eq!(
        stats["sources"],
        json!({"label_tool": 1, "cask_catalog": 0, "mdm_installer": 0, "recipe_index": 1})
    );
    assert_eq!(format!("W/\"{}\"", stats["catalog_sha"].as_str().unwrap()), server.etag().await);
    assert_eq!(stats["catalog_sha"], stats["catalog_version"]);
    let refreshed = stats["last_refresh"].as_str().unwrap();
    assert!(refreshed.ends_with('Z') && refreshed.len() == 20, "{refreshed} is a time in UTC");
}

#[tokio::test]
async fn health_is_plain_values_and_has_no_entity_tag() {
    let server = TestServer::with_sample();
    let health = server.get("/health").await;
    assert_eq!(health.status, 200);
    assert_eq!(health.header("etag"), "");
    let body = health.json();
    assert_eq!((&body["status"], &body["version"]), (&json!("ok"), &json!("0.1.0")));
    let is_plain = |value: &Value| value.is_string() || value.is_u64() || value.is_boolean();
    assert!(body.as_object().unwrap().values().all(is_plain), "{body}");
    assert!(body["apps"].is_u64(), "{body}");
}
