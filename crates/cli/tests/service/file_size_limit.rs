//! A limit of the size of files makes writes fail, like a full disk. It does not end the process.

#![cfg(target_os = "linux")]

use std::process::Command;

use crate::support::{Program, TestServer, ndjson, record};

/// Sets the limit of a running process.
fn limit(server: &TestServer, bytes: &str) {
    let id = server.process_id().to_string();
    let set = Command::new("prlimit").args(["--pid", &id, &format!("--fsize={bytes}:")]).status();
    assert!(set.is_ok_and(|status| status.success()), "prlimit of util-linux is required");
}

#[tokio::test]
async fn an_upload_beyond_the_limit_fails_alone() {
    let server = TestServer::with_records(&[record("kept")]).await;
    let (before, other) = (server.etag().await, ndjson(&[record("kept"), record("other")]));
    limit(&server, "4096");
    for _ in 0..2 {
        let response = server.upload(&other).await;
        assert_eq!(response.status, 503, "{response:?}");
    }
    assert_eq!(server.etag().await, before);
    assert_eq!(server.get("/apps").await.slugs(), ["kept"]);
    let large = server.get("/openapi.json").await;
    assert_eq!(large.status, 200, "large bodies are sent without their file");
    limit(&server, "unlimited");
    let response = server.upload(&other).await;
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(server.get("/apps").await.slugs(), ["kept", "other"]);
}

#[test]
fn a_command_beyond_the_limit_tells_so() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("records.ndjson");
    std::fs::write(&records, ndjson(&[record("one")])).unwrap();
    let program = Program::command();
    let store = format!("sqlite:{}", folder.path().join("catalog.db").display());
    let limited = |blocks: &str, arguments: &[&str]| {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -f $0; exec \"$@\"", blocks]);
        command.arg(program.get_program()).args(arguments);
        let output = command.env("APPSTITCH_STORE", &store).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let import = ["records", "import", records.to_str().unwrap()];
    let (code, stderr) = limited("8", &import);
    assert_eq!(code, Some(3), "{stderr}");
    assert!(stderr.starts_with("error: cannot open sqlite:"), "{stderr}");
    let (code, stderr) = limited("unlimited", &import);
    assert_eq!(code, Some(0), "a failed start leaves nothing behind: {stderr}");
    let export = folder.path().join("export.ndjson");
    let (code, stderr) = limited("0", &["records", "export", export.to_str().unwrap()]);
    assert_eq!(code, Some(3), "{stderr}");
    assert!(stderr.contains("File too large") && !export.exists(), "{stderr}");
}
