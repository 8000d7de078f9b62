//! Pulling the plug: after a kill at any moment the store holds the old revision or the new.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{TestServer, app, ndjson};

fn generation(number: usize) -> String {
    let records: Vec<Value> = (0..400)
        .map(|position| {
            let mut app = app(&format!("app-{position:03}"));
            app["current_version"] = json!(number.to_string());
            json!({"app": app, "sources": null})
        })
        .collect();
    ndjson(&records)
}

#[tokio::test]
async fn a_kill_during_an_upload_leaves_one_whole_revision() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let mut server = TestServer::on_store(&store);
    assert_eq!(server.upload(&generation(0)).await.status, 200);
    let mut last_acknowledged = 0;
    for number in 1..=12 {
        let upload = server.admin(Method::PUT, "/admin/records").body(generation(number)).send();
        // Sooner or later into the upload each time.
        let delay = Duration::from_millis(u64::try_from(number).unwrap() * 3);
        if let Ok(Ok(response)) = tokio::time::timeout(delay, upload).await
            && response.status() == 200
        {
            last_acknowledged = number;
        }
        server.kill();

        server = TestServer::on_store(&store);
        let apps = server.get("/apps?limit=1000").await.json();
        let apps = apps.as_array().unwrap();
        assert_eq!(apps.len(), 400);
        let version = apps[0]["current_version"].as_str().unwrap();
        assert!(apps.iter().all(|app| app["current_version"] == version), "one revision");
        let generation: usize = version.parse().unwrap();
        assert!(generation >= last_acknowledged, "what was acknowledged is kept");
        assert!(generation <= number);
    }
}
