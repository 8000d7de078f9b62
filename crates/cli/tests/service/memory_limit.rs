//! What clients send takes no more memory than the limit, however many send at once.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::support::{TestServer, app, peak_memory, record};

/// A server with the smallest limit.
fn server() -> TestServer {
    TestServer::with(&["--memory-limit", "64MiB"])
}

/// The most memory that the process ever had, in bytes.
fn peak(server: &TestServer) -> u64 {
    peak_memory(server.process_id())
}

/// Others are answered, and an upload works.
async fn works(server: &TestServer) {
    assert_eq!(server.get("/health").await.status, 200);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "get_catalog_summary", "arguments": {}}});
    let request = server
        .request(Method::POST, "/mcp")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .body(call.to_string());
    let response = server.send(request).await;
    assert_eq!(response.status, 200, "{response:?}");
    let response = server.put_record(&record("next")).await;
    assert_eq!(response.status, 200, "{response:?}");
}

#[tokio::test]
async fn unfinished_messages_on_many_connections_stay_within_the_limit() {
    const CONNECTIONS: usize = 250;
    // With the usual limit, a message may have 1 MiB.
    let server = TestServer::with_sample();
    works(&server).await;
    let base = peak(&server);
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1048576\r\n\r\n";
    let most = vec![b' '; 1_000_000];
    let unfinished = join_all((0..CONNECTIONS).map(|_| async {
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        // On a slow machine, the server may give up first.
        let _ = stream.write_all(&most).await;
        stream
    }));
    let unfinished = unfinished.await;
    works(&server).await;
    let used = peak(&server) - base;
    assert!(used < 64 << 20, "{used} bytes for {CONNECTIONS} unfinished messages");
    drop(unfinished);
}

#[tokio::test]
async fn concurrent_uploads_stay_within_the_limit() {
    let server = server();
    works(&server).await;
    let base = peak(&server);
    let uploads = join_all((0..20).map(|number| {
        // Small as it is sent, 4 MB when unpacked.
        let pad = format!("{number:02}").repeat(2_000_000);
        let sources = json!({"cask_catalog": {"token": "a", "entry_json": {"pad": pad}}});
        let record = json!({"app": app("a"), "sources": sources}).to_string();
        let body = zstd::bulk::compress(record.as_bytes(), 1).unwrap();
        assert!(body.len() < 10_000, "{}", body.len());
        let put = server.admin(Method::PUT, "/admin/records/a").header("content-encoding", "zstd");
        server.send(put.body(body))
    }));
    let mut accepted = 0;
    for response in uploads.await {
        match response.status.as_u16() {
            200 => accepted += 1,
            503 => assert_eq!(response.header("retry-after"), "10"),
            _ => panic!("{response:?}"),
        }
    }
    assert!(accepted > 0, "uploads that fit are accepted");
    let used = peak(&server) - base;
    // The limit, and what publishing takes, which does not count.
    assert!(used < 200 << 20, "{used} bytes for twenty uploads");
    works(&server).await;
}

#[tokio::test]
async fn a_long_inventory_fits_into_the_share_of_one_client() {
    /// The limit is a sixteenth of the usual one, and so is about the most rows of a list.
    const ROWS: usize = 5_500;
    let server = server();
    let rows = |count: usize| -> Vec<u8> {
        let row = |number: usize| {
            let name = format!("Sample App {number}.app");
            json!({"name": name, "path": format!("/Applications/{name}"),
                "bundle_identifier": "com.example.x", "bundle_short_version": format!("1.{number}"),
                "bundle_version": "1.0"})
        };
        serde_json::to_vec(&(0..count).map(row).collect::<Vec<_>>()).unwrap()
    };
    let check = |body: Vec<u8>| {
        server.send(server.request(Method::POST, "/inventory/check?format=ndjson").body(body))
    };
    let packed = |list: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(list).unwrap();
        encoder.finish().unwrap()
    };
    let list = rows(ROWS);
    for body in [packed(&list), list] {
        let response = check(body).await;
        assert_eq!(response.status, 200, "{response:?}");
        assert_eq!(response.text().lines().count(), ROWS);
    }
    let response = check(rows(4 * ROWS)).await;
    assert_eq!(response.status, 413, "{response:?}");
    assert!(response.text().contains("send fewer Macs at a time"), "{response:?}");
    works(&server).await;
}

#[tokio::test]
async fn a_message_that_is_too_large_is_answered_and_not_cut_off() {
    let server = server();
    let start = "POST /mcp HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n";
    let chunk = [format!("{:x}\r\n", 1 << 16), " ".repeat(1 << 16), "\r\n".to_owned()].concat();
    for (head, body) in [
        (format!("{start}content-length: 8000000\r\n\r\n"), " ".repeat(8_000_000)),
        (format!("{start}transfer-encoding: chunked\r\n\r\n"), chunk.repeat(100) + "0\r\n\r\n"),
    ] {
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(body.as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        assert!(response.starts_with("HTTP/1.1 413"), "{response}");
        // A half of a sixteenth, of which reading a message takes 25 times its size.
        assert!(response.contains("The request is larger than 83886 bytes"), "{response}");
    }
    // A client that asks first is answered at once.
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    let head = format!("{start}content-length: 8000000\r\nexpect: 100-continue\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 413"), "{response}");
}

#[tokio::test]
async fn an_upload_that_needs_more_than_the_limit_is_rejected_alone() {
    let server = server();
    let bomb = zstd::bulk::compress(&vec![b' '; 100 << 20], 1).unwrap();
    let put = server.admin(Method::PUT, "/admin/records").header("content-encoding", "zstd");
    let response = server.send(put.body(bomb)).await;
    assert_eq!(response.status, 413, "{response:?}");
    assert!(response.detail().contains("bytes of memory"), "{}", response.detail());
    works(&server).await;
}

#[test]
fn a_limit_that_is_too_small_or_no_size_is_wrong_usage() {
    for limit in ["1MiB", "lots", "1000000000"] {
        let (code, _, message) =
            crate::support::run(&["serve", "--listen", "127.0.0.1:0", "--memory-limit", limit]);
        assert_eq!(code, 2, "{message}");
        assert!(message.contains("--memory-limit") && message.contains("MiB"), "{message}");
    }
}
