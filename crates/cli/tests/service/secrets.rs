//! Secrets are never printed: not in errors, not in the help, not in logs.

use std::{
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    process::{Command, Output, Stdio},
};

use reqwest::Method;
use serde_json::json;

use crate::support::{Program, TestServer, ndjson, record, write_config};

const SECRET: &str = "sesame";

/// The exit code and everything that is printed.
fn printed(command: &mut Command) -> (i32, String) {
    let Output { status, stdout, stderr } = command.stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned();
    assert!(!text.contains(SECRET), "{text}");
    (status.code().unwrap(), text)
}

#[test]
fn an_invalid_deploy_token_is_reported_without_the_token() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    let commands: [&[&str]; 3] = [
        &["serve", "--listen", "127.0.0.1:0"],
        &["upload", "cask_catalog", "/dev/null", "--server", "http://127.0.0.1:9"],
        &["refresh", "--server", "http://127.0.0.1:9"],
    ];
    for arguments in commands {
        for token in [&b"sesame\xff"[..], b"se\nsesame"] {
            let mut command = Program::command();
            command.args(arguments).current_dir(folder.path());
            command.env("APPSTITCH_DEPLOY_TOKEN", OsStr::from_bytes(token));
            let (code, text) = printed(&mut command);
            assert_eq!(code, 2, "{arguments:?}: {text}");
            std::fs::write(&file, token).unwrap();
            let mut command = Program::command();
            command.args(arguments).current_dir(folder.path());
            let (code, text) = printed(command.arg("--deploy-token-file").arg(&file));
            assert_eq!(code, 2, "{arguments:?}: {text}");
        }
    }
}

#[test]
fn addresses_are_printed_without_their_passwords() {
    let folder = tempfile::tempdir().unwrap();
    let command = |arguments: &[&str]| {
        let mut command = Program::command();
        command.args(arguments).current_dir(folder.path());
        command.env("APPSTITCH_DEPLOY_TOKEN", "token");
        command
    };
    for server in ["http://user:sesame@127.0.0.1:9", "nonsense://user:sesame@x", "//u:sesame@x"] {
        for arguments in [
            &["apps"][..],
            &["mcp"],
            &["upload", "cask_catalog", "/dev/null"],
            &["labels", "resolve", "--only-missing"],
        ] {
            let (code, text) = printed(command(arguments).args(["--server", server]));
            assert!(matches!(code, 2 | 3), "{arguments:?}: {text}");
        }
    }
    for arguments in [&["serve"][..], &["records", "export"], &["refresh"], &["mcp"]] {
        for (store, message) in [
            ("mysql://user:sesame@host/catalog", "'mysql://host/catalog' is not a store address"),
            ("postgres://user:sesame@host/catalog?sslmode=best", "unknown sslmode 'best'"),
            ("postgres://user:sesame@host:sesame/catalog", "invalid value for option `port`"),
        ] {
            let (code, text) = printed(command(arguments).env("APPSTITCH_STORE", store));
            assert_eq!(code, 2, "{text}");
            assert!(text.contains(message), "{text}");
        }
    }
    // Nobody listens there.
    let store = "postgres://user:sesame@127.0.0.1:1/catalog?password=sesame";
    for arguments in [&["records", "export"][..], &["mcp"]] {
        let (code, text) = printed(command(arguments).env("APPSTITCH_STORE", store));
        assert_eq!(code, 3, "{text}");
        assert!(text.contains("postgres://user@127.0.0.1:1/catalog"), "{text}");
    }
    let source = ("cask_catalog", vec!["https://user:sesame@example.com/cask.json".to_owned()]);
    let config = write_config(folder.path(), &[source]);
    let (code, text) = printed(&mut command(&["refresh", "--config", &config]));
    assert_eq!(code, 2, "{text}");
}

#[test]
fn the_help_does_not_show_values_of_the_environment() {
    for arguments in [
        &["serve"][..],
        &["refresh"],
        &["upload"],
        &["apps"],
        &["mcp"],
        &["records", "export"],
        &["labels", "resolve"],
        &["labels", "explain"],
    ] {
        let mut command = Program::command();
        for name in ["SERVER", "STORE", "PROXY", "DEPLOY_TOKEN"] {
            command.env(format!("APPSTITCH_{name}"), "http://user:sesame@host");
        }
        let (code, text) = printed(command.args(arguments).arg("--help"));
        assert_eq!(code, 0, "{arguments:?}: {text}");
    }
}

#[tokio::test]
async fn no_log_has_a_token() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let mut server = TestServer::start(&store, &["--no-sample"], |command| {
        command.env("APPSTITCH_DEPLOY_TOKEN", SECRET).env("APPSTITCH_LOG", "trace");
        command.stderr(std::fs::File::create(folder.path().join("log")).unwrap());
    });
    let records = ndjson(&[record("one")]);
    for (token, status) in [(SECRET, 200), ("wrong-sesame", 401)] {
        let upload = server.request(Method::PUT, "/admin/records").bearer_auth(token);
        let response = server.send(upload.body(records.clone())).await;
        assert_eq!(response.status, status, "{response:?}");
    }
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let call = server.request(Method::POST, "/mcp").bearer_auth(SECRET).body(call.to_string());
    let call = call.header("content-type", "application/json");
    server.send(call.header("accept", "application/json, text/event-stream")).await;
    server.send(server.request(Method::GET, "/apps").bearer_auth(SECRET)).await;
    server.signal("-TERM");
    server.wait();
    let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
    assert!(log.contains("/admin/records"), "requests are logged: {log}");
    assert!(!log.contains(SECRET), "{log}");
}
