//! Commands that need a server, without one.

use std::process::Stdio;

use crate::support::{Program, TOKEN, TestServer, casks};

const NOBODY: &str = "http://127.0.0.1:9";

#[test]
fn an_unreachable_server_is_one_line_and_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("casks.json");
    std::fs::write(&file, casks(&["a"])).unwrap();
    let file = file.to_str().unwrap();
    for arguments in [
        &["apps"][..],
        &["search", "x"],
        &["app", "x", "--json"],
        &["details", "x"],
        &["alias", "x"],
        &["sources", "x"],
        &["sources"],
        &["drift"],
        &["drift", "x"],
        &["label", "x"],
        &["stats"],
        &["health"],
        &["upload", "cask_catalog", file],
        &["mcp"],
    ] {
        let mut command = Program::command();
        command.args(arguments).args(["--server", NOBODY]).stdin(Stdio::null());
        let output = command.env("APPSTITCH_DEPLOY_TOKEN", TOKEN).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(3), 0), "{arguments:?}");
        let lines: Vec<&str> = stderr.lines().collect();
        assert_eq!(lines.len(), 2, "{arguments:?}: {stderr}");
        let start = format!("error: server unavailable at {NOBODY}: ");
        assert!(lines[0].starts_with(&start), "{arguments:?}: {stderr}");
        assert_eq!(lines[0].matches("efused").count(), 1, "the cause appears once: {stderr}");
        assert!(
            lines[1].starts_with("hint: ") && lines[1].contains("--server"),
            "{arguments:?}: {stderr}"
        );
    }
}

#[tokio::test]
async fn an_address_that_is_not_appstitch_is_not_an_unknown_app() {
    let server = TestServer::with_sample();
    let elsewhere = format!("{}/elsewhere", server.base);
    for arguments in [&["app", "zoom"][..], &["apps"], &["drift", "zoom"], &["alias", "zoom"]] {
        let output =
            Program::command().args(arguments).args(["--server", &elsewhere]).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with("error: 404 Not Found from "), "{arguments:?}: {stderr}");
    }
}
