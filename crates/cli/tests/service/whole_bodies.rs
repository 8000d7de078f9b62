//! Snapshots of the sample catalog's responses.

use serde_json::Value;

use crate::support::TestServer;

#[tokio::test]
async fn the_sample_is_served_as_reviewed() {
    let server = TestServer::with_sample();
    insta::assert_json_snapshot!("sample_apps", server.get("/apps").await.json());
    insta::assert_json_snapshot!("sample_drift", server.get("/apps/drift").await.json());
    insta::assert_json_snapshot!("sample_title_codes", server.get("/apps/jamf-index").await.json());
    insta::assert_json_snapshot!(
        "sample_sources_slack",
        server.get("/apps/slack/sources").await.json()
    );
    for slug in ["firefoxpkg", "docker", "tailscale-app", "handbrake"] {
        let label = server.post(&format!("/apps/{slug}/generate-label")).await;
        insta::assert_json_snapshot!(format!("sample_label_{slug}"), label.json());
    }
}

#[tokio::test]
async fn the_sample_shows_every_kind_of_record() {
    let server = TestServer::with_sample();
    let apps = server.get("/apps?limit=1000").await.json();
    let apps = apps.as_array().unwrap();
    assert!(apps.len() >= 20, "{} apps", apps.len());
    let mut combinations: Vec<String> = apps.iter().map(|app| app["sources"].to_string()).collect();
    combinations.sort();
    combinations.dedup();
    assert!(combinations.len() >= 6, "{combinations:?}");
    let drift = server.get("/apps/drift").await.json();
    assert!(drift["total_with_drift"].as_u64().unwrap() >= 2);
    let mut without_detail = 0;
    for app in apps {
        let sources =
            server.get(&format!("/apps/{}/sources", app["slug"].as_str().unwrap())).await.json();
        without_detail += usize::from(sources.as_object().unwrap().values().all(Value::is_null));
    }
    assert_eq!(without_detail, 1);
}
