//! A restored store serves the same, and goes on.

use serde_json::{Value, json};

use super::{Scene, backup, fill, put_casks, restored, served};
use crate::support::{TestServer, Upstream, casks, run, run_ok, write_config};

/// From SQLite to both engines, and from each of them to both again.
#[tokio::test]
async fn a_restored_store_serves_the_same_on_every_engine() {
    let scene = Scene::new();
    let original = TestServer::empty();
    fill(&original).await;
    let first = scene.file("first.backup");
    let printed = backup(&format!("sqlite:{}", original.store().display()), &first);
    let expected = served(&original).await;
    let token = original.etag().await;
    let plain_token = token.trim_start_matches("W/").trim_matches('"');
    assert!(
        printed.contains(&format!("3 apps, 1 manual record, 0 webhooks, revision {plain_token}"))
    );
    let since = original.get("/changes?limit=2&since=0").await.json()["next"].clone();
    let since = format!("/changes?since={}", since.as_str().unwrap());
    let after = original.get(&since).await;

    for (number, store) in scene.new_stores("second.db").iter().enumerate() {
        restored(store, &first, &[]);
        let second = scene.file(&format!("second-{number}.backup"));
        backup(store, &second);
        let bytes = std::fs::read(&first).unwrap();
        assert!(std::fs::read(&second).unwrap() == bytes, "the same contents, the same bytes");
        for third in scene.new_stores(&format!("third-{number}.db")) {
            restored(&third, &second, &[]);
            let server = TestServer::on_address(&third);
            assert_eq!(served(&server).await, expected, "{store} to {third}");
            assert_eq!(server.get(&since).await.body, after.body, "positions stay valid");
            let fresh = server.get_with("/apps", "if-none-match", &token).await;
            assert_eq!(fresh.status, 304);
        }
    }
}

/// The same data changes nothing, and new data the same as on the original.
#[tokio::test]
async fn a_restored_store_takes_new_data() {
    let scene = Scene::new();
    let original = TestServer::empty();
    fill(&original).await;
    let file = scene.file("catalog.backup");
    backup(&format!("sqlite:{}", original.store().display()), &file);
    let mut copies = Vec::new();
    for store in scene.new_stores("copy.db") {
        restored(&store, &file, &[]);
        let copy = TestServer::on_address(&store);
        let token = copy.etag().await;
        let same = put_casks(&copy, &[("one", "1.1"), ("two", "1.0")]).await;
        assert_eq!((&same["changed"], copy.etag().await), (&false.into(), token));
        copies.push(updated(&copy).await);
    }
    let expected = updated(&original).await;
    for copy in copies {
        assert_eq!(copy, expected);
    }
}

/// Uploads new data. Returns what follows from it, without times.
async fn updated(server: &TestServer) -> (Value, String, Vec<Value>) {
    let mut summary = put_casks(server, &[("one", "1.2"), ("four", "1.0")]).await;
    // It begins with the time.
    let revision = summary["revision"].take();
    let content = revision.as_str().unwrap().split_once('-').unwrap().1.to_owned();
    let changes = server.get("/changes?since=0").await.json();
    let numbers = changes["changes"].as_array().unwrap().iter();
    let numbers = numbers.map(|change| json!([change["seq"], change["slug"], change["fields"]]));
    (summary, content, numbers.collect())
}

/// A refresh after a restore asks only for what changed.
#[tokio::test]
async fn a_refresh_goes_on_after_a_restore() {
    let scene = Scene::new();
    let upstream = Upstream::start(casks(&["one", "two"]));
    let source = ("cask_catalog", vec![format!("{}/cask.json", upstream.base)]);
    let config = write_config(scene.path(), &[source]);
    let refresh = |store: &str| {
        let arguments = [
            "refresh", "--store", store, "--config", &config, "--allow-private", "--only",
            "cask_catalog",
        ];
        run_ok(&arguments);
    };
    let store = scene.sqlite("catalog.db");
    refresh(&store);
    assert_eq!(upstream.full_responses(), 1);
    let file = scene.file("catalog.backup");
    backup(&store, &file);
    for (number, copy) in scene.new_stores("copy.db").iter().enumerate() {
        restored(copy, &file, &[]);
        refresh(copy);
        assert_eq!(upstream.full_responses(), 1 + number, "the validators are restored");
        upstream.serve("", casks(&["one", "two", &format!("new-{number}")]));
        refresh(copy);
        assert_eq!(upstream.full_responses(), 2 + number);
        let (_, apps, _) = run(&["records", "export", "--store", copy]);
        assert!(apps.contains(&format!("new-{number}")), "new data updates it: {apps}");
        upstream.serve("", casks(&["one", "two"]));
    }
}
