//! Accepted records, rejected records and the notes about omitted values.

use serde_json::{Value, json};

use super::*;

fn admit(app: Value, sources: Value) -> Result<Admitted, Refusal> {
    Record::admit(json!({"app": app, "sources": sources}).to_string().as_bytes())
}

fn plain() -> Value {
    json!({"slug": "a", "name": "A", "sources": []})
}

#[test]
fn a_record_without_sources_has_no_source_detail() {
    let without = json!({"slug":"a","name":"A","sources":["label_tool"]});
    for sources in [json!(null), json!({}), json!({"label_tool": null})] {
        let admitted = admit(without.clone(), sources).unwrap();
        assert_eq!(admitted.record.sources, None);
        assert!(admitted.record.app.sources.contains(Source::LabelTool));
        assert_eq!(admitted.notes, Vec::<String>::new());
    }
}

#[test]
fn a_payload_makes_its_source_a_token() {
    let admitted = admit(plain(), json!({"cask_catalog":{"token":"a","entry_json":{}}})).unwrap();
    assert!(admitted.record.app.sources.contains(Source::CaskCatalog));
}

#[test]
fn a_slug_that_a_route_would_hide_is_renamed_and_told() {
    let admitted = admit(json!({"slug":"drift","name":"Drift","sources":[]}), json!(null)).unwrap();
    assert_eq!(admitted.record.app.slug.as_str(), "drift-app");
    assert!(admitted.notes[0].contains("'drift-app'"), "{:?}", admitted.notes);
}

#[test]
fn a_value_that_breaks_a_rule_is_null_and_told() {
    let hash = "a".repeat(64);
    for (field, value, reason) in [
        ("vendor", json!(" "), "vendor is empty"),
        ("vendor", json!("`whoami`"), "a shell expression"),
        ("current_version", json!("latest"), "current_version is 'latest'"),
        ("current_version", json!("a | b"), "a shell pipe"),
        ("bundle_id", json!("$bundle"), "a shell expression"),
        ("sha256", json!("no_check"), "invalid sha256"),
        ("sha256", json!(hash), "sha256 without download_url"),
        ("expected_team_id", json!("abc"), "invalid Team ID"),
        ("download_url", json!("ftp://e.com/a"), "use an http or https URL"),
        ("download_url", json!("https://user:word@e.com/a.dmg"), "a user name or a password"),
        ("install_method", json!("exe"), "unknown install method 'exe'"),
        ("latest_release_date", json!("soon"), "invalid date 'soon'"),
    ] {
        let mut app = plain();
        app[field] = value;
        let admitted = admit(app, json!(null)).unwrap();
        assert_eq!(admitted.notes.len(), 1, "{field}: {:?}", admitted.notes);
        assert!(admitted.notes[0].contains(reason), "{field}: {:?}", admitted.notes);
        let served = serde_json::to_value(&admitted.record.app).unwrap();
        assert_eq!(served[field], Value::Null, "{field}");
    }
}

#[test]
fn unknown_tokens_and_keys_are_left_out_and_told() {
    let mut app = plain();
    app["sources"] = json!(["store_listing", "cask_catalog"]);
    app["vendr"] = json!("x");
    let admitted = admit(app, json!(null)).unwrap();
    assert_eq!(admitted.record.app.sources.iter().collect::<Vec<_>>(), [Source::CaskCatalog]);
    assert!(admitted.notes.iter().any(|note| note.contains("'app.vendr'")), "{:?}", admitted.notes);
    assert!(
        admitted.notes.iter().any(|note| note.contains("'store_listing'")),
        "{:?}",
        admitted.notes
    );
}

#[test]
fn a_hash_goes_with_the_address_it_belongs_to() {
    let mut app = plain();
    app["download_url"] = json!("file:///a.dmg");
    app["sha256"] = json!("b".repeat(64));
    let admitted = admit(app, json!(null)).unwrap();
    assert_eq!((admitted.record.app.download_url, admitted.record.app.sha256), (None, None));
    assert_eq!(admitted.notes.len(), 2);
}

#[test]
fn a_method_that_the_file_rules_out_is_left_out() {
    let app = json!({"slug":"a","name":"A","sources":[],"install_method":"pkg",
        "download_url":"https://example.com/a.dmg"});
    let admitted = admit(app, json!(null)).unwrap();
    assert_eq!(admitted.record.app.install_method, None);
    assert!(admitted.notes[0].ends_with("pkg contradicts download_url, which ends in .dmg"));
}

#[test]
fn what_is_no_record_is_refused_with_the_place_of_the_fault() {
    for (field, value, reason) in [
        ("slug", json!("a b"), "app.slug: invalid slug 'a b'"),
        ("slug", json!(null), "app.slug: "),
        ("name", json!("$name"), "name contains a shell expression"),
        ("name", json!(""), "name is empty"),
        ("name", json!(7), "app.name: "),
        ("sources", json!("label_tool"), "app.sources: "),
    ] {
        let mut app = plain();
        app[field] = value;
        let refusal = admit(app, json!(null)).expect_err(field);
        assert!(refusal.readable);
        assert!(refusal.why.contains(reason), "{field}: {}", refusal.why);
    }
    let label = json!({"label_tool": {"label_name": "a", "label_url": "nowhere", "raw": {}}});
    assert!(admit(plain(), label).unwrap_err().why.contains("sources.label_tool.label_url: "));
}

#[test]
fn a_refusal_tells_garbage_from_a_record_with_a_fault() {
    let garbage = Record::admit(b"<html>").unwrap_err();
    assert!(!garbage.readable && garbage.slug.is_none());
    let fault = Record::admit(br#"{"app":{"slug":"a"},"sources":null}"#).unwrap_err();
    assert!(fault.readable);
    assert_eq!(fault.slug.as_deref(), Some("a"));
    let hidden =
        Record::admit(br#"{"app":{"slug":"drift","x":1e400},"sources":null}"#).unwrap_err();
    assert_eq!(
        hidden.slug.as_deref(),
        Some("drift-app"),
        "the slug that the record would be served under"
    );
    assert!(Record::admit(br#"{"app":{"slug":"a","name":"A","sources":[]}} x"#).is_err());
}

#[test]
fn raw_payloads_come_through_verbatim_and_optional_addresses_are_tolerant() {
    let line = br#"{"app":{"slug":"a","name":"A","sources":[]},"sources":{"cask_catalog":{"token":"a","entry_json":{"z":1.50,"a":[1e2]}},"recipe_index":{"recipes":[{"identifier":"i","repo":"r","path":"p","recipe_url":"nowhere"}]}}}"#;
    let sources = Record::admit(line).unwrap().record.sources.unwrap();
    assert_eq!(sources.cask_catalog.unwrap().entry_json.as_json(), r#"{"z":1.50,"a":[1e2]}"#);
    assert_eq!(sources.recipe_index.unwrap().recipes[0].recipe_url, None);
}
