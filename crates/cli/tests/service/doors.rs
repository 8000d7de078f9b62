//! Requests that two readers could understand differently, and files that others could read.

use std::{
    io::{Read, Write},
    net::TcpStream,
    os::unix::fs::PermissionsExt,
};

use reqwest::Method;

use crate::support::{TOKEN, TestServer, ndjson, record};

/// The first line of the answer to a request.
fn status(server: &TestServer, head: &str) -> String {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    write!(stream, "{head}connection: close\r\ncontent-length: 0\r\n\r\n").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response.lines().next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_host_is_one_and_valid_on_every_path() {
    let server = TestServer::with_sample();
    // The last one is answered by the HTTP library.
    for path in ["GET /apps/zoom", "GET /health", "POST /inventory/check", "GET /docs"] {
        for host in ["a b/c", "a/b", "user@a", "a?b", "\u{e9}"] {
            let response = status(&server, &format!("{path} HTTP/1.1\r\nhost: {host}\r\n"));
            assert_eq!(response, "HTTP/1.1 400 Bad Request", "{path} {host}");
        }
        for host in ["a", "a:1", "[::1]:80", "apps.example"] {
            let response = status(&server, &format!("{path} HTTP/1.1\r\nhost: {host}\r\n"));
            assert!(!response.contains("400"), "{path} {host}: {response}");
        }
    }
}

#[tokio::test]
async fn the_tools_judge_the_host_of_the_target_as_well() {
    let server = TestServer::with_sample();
    let fields = "host: localhost\r\naccept: application/json, text/event-stream\r\n";
    for (target, is_refused) in
        [("/mcp", false), ("http://localhost/mcp", false), ("http://evil.example/mcp", true)]
    {
        let response = status(&server, &format!("POST {target} HTTP/1.1\r\n{fields}"));
        assert_eq!(response.contains("403"), is_refused, "{target}: {response}");
    }
}

#[tokio::test]
async fn a_request_has_one_token() {
    let server = TestServer::empty();
    let upload = || server.admin(Method::PUT, "/admin/records").body(ndjson(&[record("a")]));
    let twice = upload().header("authorization", format!("Bearer {TOKEN}"));
    assert_eq!(server.send(twice).await.status, 400);
    assert_eq!(server.get("/stats").await.json()["total_apps"], 0);
    assert_eq!(server.send(upload()).await.status, 200);
}

#[tokio::test]
async fn only_the_owner_reads_a_store() {
    let server = TestServer::with_sample();
    let store = server.store();
    for name in ["catalog.db", "catalog.db-wal", "catalog.db-shm"] {
        let mode = std::fs::metadata(store.with_file_name(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}
