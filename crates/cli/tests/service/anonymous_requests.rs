//! Requests to `/admin` without the deploy token do not fill the log.

use std::process::Stdio;

use reqwest::Method;

use crate::support::{TOKEN, TestServer, ndjson, record};

#[tokio::test]
async fn anonymous_requests_write_one_line_and_changes_write_one_each() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = TestServer::start(&folder.path().join("catalog.db"), &[], |command| {
        command.env("APPSTITCH_DEPLOY_TOKEN", TOKEN);
        command.env("APPSTITCH_LOG", "info").stderr(Stdio::piped());
    });
    for number in 0..40 {
        let path =
            ["/admin/records", "/admin/sources/cask_catalog", "/admin/records/a"][number % 3];
        let request = server.request(Method::PUT, path).body("{}");
        let request = if number % 2 == 0 { request } else { request.bearer_auth("a guess") };
        assert_eq!(server.send(request).await.status, 401);
        assert_eq!(server.get("/admin/labels/unresolved").await.status, 401);
    }
    assert_eq!(server.upload(&ndjson(&[record("a")])).await.status, 200);
    assert_eq!(server.put("/admin/records", "nonsense").await.status, 422);
    server.signal("-TERM");
    server.wait();
    let log = server.stderr();
    let lines = |text: &str| log.lines().filter(|line| line.contains(text)).count();
    assert_eq!(lines("without the deploy token"), 1, "{log}");
    assert_eq!((lines("accepted an upload"), lines("rejected an upload")), (1, 1), "{log}");
    assert!(!log.contains("a guess"), "{log}");
}
