//! `appstitch serve --refresh-every`.

use std::time::Duration;

use crate::support::{TOKEN, TestServer, Upstream, casks, eventually, run, series, write_config};

fn start(folder: &std::path::Path, arguments: &[&str]) -> TestServer {
    let usual = ["--no-sample", "--refresh-every", "6h", "--allow-private"];
    let arguments = [&usual[..], arguments].concat();
    TestServer::start(&folder.join("catalog.db"), &arguments, |command| {
        command.env("APPSTITCH_DEPLOY_TOKEN", TOKEN);
    })
}

/// Waits until `/health` has a value.
async fn health(server: &TestServer, name: &str) -> serde_json::Value {
    for _ in 0..600 {
        let health = server.get("/health").await.json();
        if health.get(name).is_some() {
            return health;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("no {name}: {}", server.get("/health").await.text())
}

#[tokio::test]
async fn one_process_is_a_complete_service() {
    let folder = tempfile::tempdir().unwrap();
    let upstream = Upstream::start(casks(&["a", "b"]));
    let sources = [("cask_catalog", vec![format!("{}/cask.json", upstream.base)])];
    let config = write_config(folder.path(), &sources);
    let server = start(folder.path(), &["--config", &config]);
    let health_body = health(&server, "refresh_last_at").await;
    assert_eq!(
        (&health_body["refresh_last_result"], &health_body["status"]),
        (&"complete".into(), &"ok".into())
    );
    assert!(health_body.get("refresh_problem").is_none(), "{health_body}");
    assert_eq!(server.get("/apps").await.slugs(), ["a", "b"]);
    // Its end is told before it is noted in the store, and only then does the server wait again.
    eventually("it never waits for the next refresh", async || {
        let health = server.get("/health").await.json();
        health["refresh"] == "waiting" && health["refresh_next_at"].is_string()
    })
    .await;

    let response = server.get("/metrics").await;
    let metrics = response.text();
    for line in [
        "appstitch_refreshes_total{result=\"complete\"} 1",
        "appstitch_refresh_active 1",
        "appstitch_refresh_running 0",
        "appstitch_source_documents{source=\"cask_catalog\"} 2",
    ] {
        assert!(metrics.lines().any(|metric| metric == line), "{line}: {metrics}");
    }
    assert!(series(metrics, "appstitch_refresh_next_timestamp_seconds") > 1.7e9, "{metrics}");
    let received = "appstitch_source_received_timestamp_seconds{source=\"cask_catalog\"}";
    assert!(series(metrics, received) > 1.7e9, "{metrics}");
}

#[tokio::test]
async fn a_source_that_fails_is_reported_and_the_others_are_served() {
    let folder = tempfile::tempdir().unwrap();
    let upstream = Upstream::start(casks(&["a"]));
    let sources = [
        ("cask_catalog", vec![format!("{}/cask.json", upstream.base)]),
        ("recipe_index", vec![format!("{}/missing", upstream.base)]),
    ];
    let config = write_config(folder.path(), &sources);
    let server = start(folder.path(), &["--config", &config]);
    let health_body = health(&server, "refresh_problem").await;
    assert_eq!(health_body["refresh_last_result"], "partial");
    // Anybody can read this, so it has no URL of an upstream.
    assert_eq!(health_body["refresh_problem"], "not refreshed: recipe_index; see the log");
    assert_eq!(server.get("/apps").await.slugs(), ["a"]);
}

#[test]
fn invalid_settings_are_rejected_before_anything_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let address = format!("sqlite:{}", store.display());
    let serve = ["serve", "--listen", "127.0.0.1:0", "--store", &address, "--refresh-every"];
    for (arguments, expected) in [
        (&["59s"][..], "at least 1m"),
        (&["often"], "such as 12h"),
        (&["6h", "--config", "/nonexistent.toml"], "cannot read /nonexistent.toml"),
        (&["6h", "--refresh-time-limit", "0s"], "longer than 0"),
    ] {
        let (code, _, stderr) = run(&[&serve[..], arguments].concat());
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
        assert!(!store.exists());
    }
}

#[tokio::test]
async fn a_server_says_at_its_start_whether_and_how_often_it_refreshes() {
    let folder = tempfile::tempdir().unwrap();
    let config = write_config(folder.path(), &[("cask_catalog", vec!["file:///none".to_owned()])]);
    let (_, _, hint) = run(&["config", "check", &config]);
    assert!(hint.contains("only with --refresh-every"), "{hint}");
    for (arguments, says) in [
        (&["--config", &config][..], "does not refresh by itself: the file of --config has no"),
        (
            &["--config", &config, "--refresh-every", "2h"],
            "refreshing by itself sources=\"cask_catalog every 2h\"",
        ),
    ] {
        let arguments = [&["--no-sample"][..], arguments].concat();
        let store = folder.path().join("catalog.db");
        let mut server = TestServer::start(&store, &arguments, |command| {
            command.env("APPSTITCH_LOG", "info").stderr(std::process::Stdio::piped());
        });
        server.signal("-TERM");
        server.wait();
        let log = server.stderr();
        assert!(log.contains(says), "{log}");
    }
}
