//! Backups and restores while servers run.

use serde_json::Value;

use super::{Scene, backup, put_casks, restore, restored};
use crate::support::TestServer;

/// Every app of a revision has the same version, so a mixture would be seen.
#[tokio::test]
async fn a_backup_is_of_one_revision_while_uploads_go_on() {
    let scene = Scene::new();
    let names: Vec<String> = (0..40).map(|number| format!("app{number}")).collect();
    for store in scene.new_stores("catalog.db") {
        let server = TestServer::on_address(&store);
        let publish = async |version: usize| {
            let version = version.to_string();
            let versions: Vec<(&str, &str)> =
                names.iter().map(|name| (name.as_str(), version.as_str())).collect();
            put_casks(&server, &versions).await
        };
        publish(0).await;
        let files: Vec<String> =
            (0..4).map(|number| scene.file(&format!("{number}.backup"))).collect();
        let mut version = 0;
        for file in files.clone() {
            let store = store.clone();
            let writing = tokio::task::spawn_blocking(move || drop(backup(&store, &file)));
            loop {
                version += 1;
                publish(version).await;
                if writing.is_finished() {
                    break;
                }
            }
            writing.await.unwrap();
        }
        for (number, file) in files.iter().enumerate() {
            let copy = scene.sqlite(&format!("{number}-{}.db", store.len()));
            restored(&copy, file, &[]);
            let server = TestServer::on_address(&copy);
            let apps = server.get("/apps?limit=1000").await.json();
            let versions = apps.as_array().unwrap().iter().map(|app| &app["current_version"]);
            let mut versions: Vec<&Value> = versions.collect();
            versions.dedup();
            assert_eq!((apps.as_array().unwrap().len(), versions.len()), (40, 1), "{apps}");
            let log = server.get("/changes").await.json();
            let last = log["changes"].as_array().unwrap().last().unwrap();
            assert_eq!(&last["fields"]["current_version"]["to"], versions[0], "{last}");
        }
    }
}

/// What was published after the backup is gone, and nobody gets a wrong answer about it.
#[tokio::test]
async fn running_servers_take_over_a_restored_store() {
    let scene = Scene::new();
    for store in scene.new_stores("catalog.db") {
        let server = TestServer::on_address(&store);
        put_casks(&server, &[("one", "1.0"), ("two", "1.0")]).await;
        let before = server.get("/changes").await.json()["next"].clone();
        let (token, apps) = (server.etag().await, server.get("/apps").await.body);
        let file = scene.file("catalog.backup");
        backup(&store, &file);
        put_casks(&server, &[("one", "2.0"), ("two", "2.0"), ("late", "1.0")]).await;
        let lost = server.get("/changes").await.json()["next"].clone();
        let lost_token = server.etag().await;

        let (code, stderr) = restore(&store, &file, &[]);
        assert_eq!(code, 1, "{stderr}");
        assert!(stderr.contains("the store is not empty\nhint: pass --replace"), "{stderr}");
        assert_eq!(server.etag().await, lost_token);
        restored(&store, &file, &["--replace"]);
        server.follows(&token).await;
        assert_eq!(server.get("/apps").await.body, apps);
        // The numbers are used again by other changes.
        put_casks(&server, &[("one", "3.0"), ("two", "3.0"), ("other", "1.0")]).await;
        let since = |position: &Value| format!("/changes?since={}", position.as_str().unwrap());
        assert_eq!(server.get(&since(&lost)).await.status, 410);
        let changes = server.get(&since(&before)).await;
        assert_eq!(changes.status, 200);
        assert_eq!(changes.json()["changes"].as_array().unwrap().len(), 3, "{changes:?}");
        let lost_token = lost_token.trim_start_matches("W/").trim_matches('"');
        assert_eq!(server.get(&format!("/changes?since={lost_token}")).await.status, 410);
    }
}
