//! After a kill at any moment, the store holds the old revision or the new one.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{TestServer, app, ndjson};

fn generation(number: u32) -> String {
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
    let started = Instant::now();
    assert_eq!(server.upload(&generation(0)).await.status, 200);
    let whole_upload = started.elapsed();
    let (mut shown, mut kept_old, mut took_new) = (0, 0, 0);
    // From immediately to the end of an upload, so that both outcomes occur. On a busy machine an
    // upload can take much longer than the first one, so the last ones are waited for.
    for number in 1..=12_u32 {
        let upload = server.admin(Method::PUT, "/admin/records").body(generation(number)).send();
        let limit =
            if number > 10 { Duration::from_mins(1) } else { whole_upload * (number - 1) / 5 };
        let acknowledged = match tokio::time::timeout(limit, upload).await {
            Ok(Ok(response)) => response.status() == 200,
            _ => false,
        };
        server.kill();

        server = TestServer::on_store(&store);
        let apps = server.get("/apps?limit=1000").await.json();
        let apps = apps.as_array().unwrap();
        assert_eq!(apps.len(), 400);
        let version = apps[0]["current_version"].as_str().unwrap();
        assert!(apps.iter().all(|app| app["current_version"] == version), "one revision");
        let generation: u32 = version.parse().unwrap();
        assert!(generation == shown || generation == number, "the old revision or the new one");
        assert!(!acknowledged || generation == number, "an acknowledged upload is kept");
        if generation == number {
            took_new += 1;
        } else {
            kept_old += 1;
        }
        shown = generation;
    }
    assert!(
        kept_old > 0 && took_new > 0,
        "both outcomes must occur: {kept_old} kept the old revision, {took_new} have the new one"
    );
}
