//! Version and download of a record: both are those of the newest release.

use std::convert::Infallible;

use appstitch_types::{CaskCatalogSource, Slug, Uri};
use serde_json::{Value, json};

use crate::{Documents, LabelDocument, Stitched, stitch};

const LABELS_URL: &str = "https://example.com/Sample-1.0.dmg";
const CASKS_URL: &str = "https://example.com/Sample-2.0.zip";

fn stitched(label: Value, cask: Value) -> Stitched {
    let mut raw = json!({"name": "Sample", "type": "dmg", "appNewVersion": "1.0",
        "downloadURL": LABELS_URL});
    raw.as_object_mut().unwrap().extend(label.as_object().unwrap().clone());
    // A label that states its version literally is locked to it, so this one computes it.
    raw["resolved"] = json!({"appNewVersion": raw["appNewVersion"].take()});
    raw["appNewVersion"] = json!("$(curl x)");
    let mut entry = json!({"token": "sample", "name": ["Sample"], "version": "2.0",
        "url": CASKS_URL, "sha256": "a".repeat(64), "artifacts": [{"app": ["Sample.app"]}]});
    entry.as_object_mut().unwrap().extend(cask.as_object().unwrap().clone());
    let source =
        json!({"label_name": "sample", "label_url": "https://example.com/l.sh", "raw": raw});
    let cask = json!({"token": "sample", "entry_json": entry});
    let cask: CaskCatalogSource = serde_json::from_str(&cask.to_string()).unwrap();
    let documents = Documents {
        labels: vec![LabelDocument {
            slug: Slug::parse("sample").unwrap(),
            other_names: Vec::new(),
            source: serde_json::from_str(&source.to_string()).unwrap(),
            unresolved: Vec::new(),
            found: appstitch_types::LabelValues::default(),
        }],
        casks: vec![cask],
        ..Documents::default()
    };
    let mut apps = Vec::new();
    let Ok(_) = stitch(&documents, |app| {
        apps.push(app);
        Ok::<(), Infallible>(())
    });
    assert_eq!(apps.len(), 1, "label and cask are one app");
    apps.remove(0)
}

/// Version, URL, method and whether there is a hash.
fn served(label: Value, cask: Value) -> (Value, Value, Value, bool) {
    let app = serde_json::to_value(stitched(label, cask).record.app).unwrap();
    (
        app["current_version"].clone(),
        app["download_url"].clone(),
        app["install_method"].clone(),
        app["sha256"].is_string(),
    )
}

#[test]
fn the_download_follows_the_newest_version() {
    let newest = (json!("2.0"), json!(CASKS_URL), json!("zip"), true);
    assert_eq!(served(json!({}), json!({})), newest);
    let older = json!({"version": "0.9", "url": "https://example.com/Sample-0.9.zip"});
    assert_eq!(served(json!({}), older), (json!("1.0"), json!(LABELS_URL), json!("dmg"), false));
}

#[test]
fn an_address_without_a_version_gives_the_newest() {
    let url = json!("https://example.com/latest/Sample.dmg");
    let moving = json!({"downloadURL": url, "appNewVersion": "$(curl x)"});
    assert_eq!(served(moving, json!({})), (json!("2.0"), url.clone(), json!("dmg"), false));
    let older = json!({"downloadURL": url, "appNewVersion": "1.0"});
    let of_cask = (json!("2.0"), json!(CASKS_URL), json!("zip"), true);
    assert_eq!(served(older, json!({})), of_cask, "the label gives an older one");
    let moving = json!({"version": "0.9", "url": "https://example.com/latest/Sample.zip"});
    let label = json!({"downloadURL": "$(curl x)"});
    let url = moving["url"].clone();
    assert_eq!(
        served(label, moving),
        (json!("1.0"), url, json!("zip"), false),
        "the hash is that of an older file"
    );
}

#[test]
fn a_version_that_nobody_offers_gives_way_to_one_that_can_be_had() {
    let label = json!({"appNewVersion": "3.0", "downloadURL": "$(curl x)"});
    let app = stitched(label.clone(), json!({}));
    assert_eq!(app.record.app.current_version.as_deref(), Some("2.0"));
    assert_eq!(app.record.app.download_url.as_ref().map(Uri::as_str), Some(CASKS_URL));
    assert_eq!(
        app.provenance.reasons.current_version.as_deref(),
        Some(
            "Installomator states 3.0, which is newer, but no installable download of it is known"
        )
    );
    for cask in [json!({"url": null}), json!({"disabled": true})] {
        let app = stitched(label.clone(), cask);
        assert_eq!(app.record.app.current_version.as_deref(), Some("3.0"));
        assert_eq!(app.record.app.download_url, None);
        assert_eq!(app.provenance.fields.download_url, None);
    }
}

#[test]
fn the_type_of_a_label_is_known_without_a_download() {
    let label = json!({"appNewVersion": "3.0", "downloadURL": "$(curl x)"});
    let expected = (json!("3.0"), Value::Null, json!("dmg"), false);
    assert_eq!(served(label, json!({"url": null})), expected);
}

#[test]
fn a_recorded_address_comes_after_the_address_of_another_source() {
    let recorded = |version: &str| {
        json!({"downloadURL": "$(curl x)", "appNewVersion": version,
            "recorded": {"downloadURL": format!("https://example.com/cdn/Sample-{version}.dmg")}})
    };
    let of_cask = (json!("2.0"), json!(CASKS_URL), json!("zip"), true);
    assert_eq!(served(recorded("2.0"), json!({})), of_cask);
    let url = json!("https://example.com/cdn/Sample-2.1.dmg");
    assert_eq!(served(recorded("2.1"), json!({})), (json!("2.1"), url, json!("dmg"), false));
}

#[test]
fn the_provenance_says_why() {
    let reasons = stitched(json!({}), json!({})).provenance.reasons;
    assert_eq!(
        serde_json::to_value(reasons).unwrap(),
        json!({"current_version": "newest of 2: cask_catalog 2.0, label_tool 1.0",
            "download_url": "cask_catalog offers 2.0"})
    );
    let url = "https://example.com/latest/Sample.dmg";
    let moving = json!({"downloadURL": url, "appNewVersion": "$(curl x)"});
    assert_eq!(
        stitched(moving, json!({})).provenance.reasons.download_url.as_deref(),
        Some("the URL of label_tool names no version, so it gives the newest")
    );
    let agreed = json!({"appNewVersion": "2.0", "downloadURL": "$(curl x)"});
    let reasons = stitched(agreed, json!({})).provenance.reasons;
    assert_eq!((reasons.current_version, reasons.download_url), (None, None));
}
