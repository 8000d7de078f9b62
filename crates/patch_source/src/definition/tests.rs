use serde_json::{Value, json};

use super::*;

fn sample_app() -> Candidate {
    Candidate {
        slug: "sample@beta".to_owned(),
        name: "Sample".to_owned(),
        bundle_id: Some("com.example.Sample".to_owned()),
        version: Some("1.0".to_owned()),
        app_file: Some("Sample Beta.app".to_owned()),
        minimum_macos: Some("13".to_owned()),
        ..Candidate::default()
    }
}

fn definition(app: &Candidate, by_file: bool, minimum: &str) -> Value {
    let history = TitleHistory::first(app, "2026-03-05T06:07:08Z".parse().unwrap());
    let title = Title { app: 0, by_file };
    serde_json::to_value(Definition::new(app, title, &history, minimum)).unwrap()
}

#[test]
fn a_definition_has_what_jamf_reads() {
    let criterion = |name: &str, value: &str| json!({"name": name, "operator": "is", "value": value, "type": "recon", "and": true});
    let by_id = criterion("Application Bundle ID", "com.example.Sample");
    let by_file = criterion("Application Title", "Sample Beta.app");
    assert_eq!(
        definition(&sample_app(), true, "10.13"),
        json!({
            "id": "sample-at-beta", "name": "Sample", "publisher": "Sample",
            "appName": "Sample Beta.app", "bundleId": "com.example.Sample",
            "lastModified": "2026-03-05T06:07:08Z", "currentVersion": "1.0",
            "requirements": [by_id, by_file],
            "patches": [{
                "version": "1.0", "releaseDate": "2026-03-05T06:07:08Z", "standalone": true,
                "minimumOperatingSystem": "13", "reboot": false,
                "killApps": [{"bundleId": "com.example.Sample", "appName": "Sample Beta.app"}],
                "components": [{"name": "Sample", "version": "1.0",
                    "criteria": [by_id, by_file, criterion("Application Version", "1.0")]}],
                "capabilities": [{"name": "Operating System Version",
                    "operator": "greater than or equal", "value": "13", "type": "recon", "and": true}],
                "dependencies": [],
            }],
            "extensionAttributes": [],
        })
    );
}

#[test]
fn what_is_not_known_has_a_floor_or_is_left_out() {
    let app = Candidate { app_file: None, minimum_macos: None, ..sample_app() };
    let definition = definition(&app, true, "12.0");
    let patch = &definition["patches"][0];
    assert_eq!(patch["minimumOperatingSystem"], "12.0");
    assert_eq!(patch["capabilities"][0]["value"], "12.0");
    assert_eq!((&patch["killApps"], &definition["appName"]), (&json!([]), &json!("")));
    assert_eq!(definition["requirements"].as_array().unwrap().len(), 1);
}

#[test]
fn every_reason_is_a_sentence_without_gaps() {
    let app = sample_app();
    for reason in Reason::ALL {
        let omitted = OmittedApp::new(&app, reason, Some("other"));
        assert_eq!(serde_json::to_value(&omitted).unwrap()["reason"], reason.word());
        assert!(
            !omitted.detail.contains("  ") && !omitted.detail.contains("''"),
            "{}",
            omitted.detail
        );
    }
}

#[test]
fn a_reason_names_a_source_as_people_know_it() {
    let other = crate::OtherVersion { source: "store_listing".to_owned(), version: "1".to_owned() };
    let app = Candidate { other_version: Some(other), ..sample_app() };
    let detail = OmittedApp::new(&app, Reason::OtherVersion, None).detail;
    assert!(
        detail.starts_with("Mac App Store writes the version as 1, the catalog as 1.0:"),
        "{detail}"
    );
}
