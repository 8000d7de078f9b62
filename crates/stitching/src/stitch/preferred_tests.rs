//! Which of several casks a label is for.

use serde_json::{Value, json};

use super::tests::{all, cask, label};
use crate::Documents;

/// A slug that is long enough not to need a website that both name.
const LONG: &str = "anothersample";

fn cask_of(raw: Value, casks: Vec<Value>) -> Option<String> {
    cask_of_label("sample", raw, casks)
}

fn cask_of_label(slug: &str, raw: Value, casks: Vec<Value>) -> Option<String> {
    let casks = casks.into_iter().map(|entry| {
        let token = entry["token"].as_str().unwrap_or_default().to_owned();
        cask(&token, entry)
    });
    let documents = Documents {
        labels: vec![label(slug, raw)],
        casks: casks.collect(),
        ..Documents::default()
    };
    let found = all(&documents).into_iter().find(|one| one.record.app.slug.as_str() == slug);
    found.unwrap().record.sources.unwrap().cask_catalog.map(|cask| cask.token)
}

fn entry(token: &str, name: &str, version: &str, url: &str) -> Value {
    json!({"token": token, "name": [name], "version": version, "url": url,
        "artifacts": [{"app": [format!("{name}.app")]}]})
}

#[test]
fn the_very_file_is_preferred_to_the_token() {
    let casks = |version: &str| {
        let plain = entry("sample", "Sample", "1.2", "https://example.com/1.2/Sample.pkg");
        let url = "https://example.com/1.2/SampleFleet.pkg";
        vec![plain, entry("sample-for-fleets", "Sample for Fleets", version, url)]
    };
    let raw = |file: &str| {
        json!({"name": "Sample", "appNewVersion": "1.2",
            "downloadURL": format!("https://example.com/1.2/{file}.pkg")})
    };
    assert_eq!(cask_of(raw("SampleFleet"), casks("1.2")).as_deref(), Some("sample-for-fleets"));
    assert_eq!(cask_of(raw("SampleFleet"), casks("1.1")).as_deref(), Some("sample"));
    assert_eq!(cask_of(raw("Sample"), casks("1.2")).as_deref(), Some("sample"));
}

#[test]
fn a_product_that_is_given_up_yields_to_the_one_beside_it() {
    let casks = |deprecated: bool, version: &str| {
        let mut former =
            entry("sample", "Sample", "26.6.1", "https://example.com/app/S-26.6.1.zip");
        former["deprecated"] = json!(deprecated);
        vec![former, entry("another", "Another", version, "https://example.com/app/Another.zip")]
    };
    let raw = json!({"name": "Sample", "appNewVersion": "26.8.4",
        "downloadURL": "https://example.com/app/Sample.dmg"});
    assert_eq!(cask_of(raw.clone(), casks(true, "26.8.4")).as_deref(), Some("another"));
    assert_eq!(cask_of(raw.clone(), casks(false, "26.8.4")).as_deref(), Some("sample"));
    assert_eq!(cask_of(raw, casks(true, "26.8.3")).as_deref(), Some("sample"));
}

#[test]
fn a_subscription_is_not_the_product_that_is_sold_for_ever() {
    let raw = |version: &str| {
        json!({"name": "Sample", "appNewVersion": version,
            "downloadURL": format!("https://example.com/mac/{version}/Sample.pkg")})
    };
    let casks =
        || vec![entry("sample", "Sample", "14.0.6", "https://example.com/mac/14.0.6/Sample.pkg")];
    assert_eq!(cask_of(raw("2026.1.3"), casks()), None);
    assert_eq!(cask_of(raw("14.1.3"), casks()).as_deref(), Some("sample"));
    assert_eq!(cask_of(raw("2014.0.5"), casks()).as_deref(), Some("sample"), "the same year");
}

#[test]
fn a_cask_is_found_by_what_the_label_asks_and_by_what_it_renames() {
    let url = "https://files.maker.example/get/Maker-3.1.pkg";
    let maker = || vec![entry("maker", "Maker Sample Kit", "3.1", url)];
    let asks = |catalog: &str| {
        json!({"name": "Kit Sample", "appNewVersion": format!("$(curl https://{catalog}maker)"),
            "downloadURL": "https://files.maker.example/get/Maker-${appNewVersion}.dmg"})
    };
    assert_eq!(cask_of(asks("formulae.brew.sh/cask/"), maker()).as_deref(), Some("maker"));
    assert_eq!(cask_of(asks("maker.example/"), maker()), None);
    let mut renamed = entry("maker-teaching", "Maker Teaching Edition", "1.0", url);
    renamed["artifacts"] = json!([{"app": ["maker-teach.app", {"target": "Maker Teaching.app"}],
        "target": "/Applications/Maker Teaching.app"}]);
    let raw = json!({"name": "maker-teach", "downloadURL": "https://short.example/x"});
    assert_eq!(cask_of_label(LONG, raw, vec![renamed]).as_deref(), Some("maker-teaching"));
}

#[test]
fn a_file_is_the_same_on_another_architecture_and_with_the_version_in_its_name() {
    let url = "https://example.com/5.9/Widget-arm64-5.9.dmg";
    let casks = || vec![entry("widget", "Maker Widget", "5.9", url)];
    let raw = |name: &str| {
        json!({"name": name, "appNewVersion": "$(curl https://other.example)",
            "downloadURL": "$(curl https://other.example/latest)",
            "recorded": {"downloadURL": "https://example.com/5.10/Widget-x64-5.10.dmg"}})
    };
    assert_eq!(
        cask_of_label(LONG, raw("Widget-$appNewVersion"), casks()).as_deref(),
        Some("widget")
    );
    assert_eq!(cask_of_label(LONG, raw("Gadget-$appNewVersion"), casks()), None);
}
