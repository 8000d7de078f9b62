//! The bodies of uploads: their pace, their memory, their size.

use std::time::Duration;

use tokio::io::AsyncWriteExt;

use super::{Limits, metric, rest, start, wait_for};

#[tokio::test]
async fn an_upload_that_trickles_in_is_given_up() {
    let server =
        start(Limits { upload_time: Duration::from_millis(300), ..Limits::default() }).await;
    let mut slow = server.connect().await;
    let head = "PUT /admin/records HTTP/1.1\r\nhost: x\r\nauthorization: Bearer secret\r\ncontent-length: 100\r\n\r\n{";
    slow.write_all(head.as_bytes()).await.unwrap();
    let end = rest(&mut slow).await;
    assert!(end.starts_with("HTTP/1.1 408"), "{end}");
    assert!(end.contains("took too long to arrive"), "{end}");
}

/// The head of an upload.
fn upload_head(length: usize) -> String {
    format!(
        "PUT /admin/records HTTP/1.1\r\nhost: x\r\nauthorization: Bearer secret\r\ncontent-length: {length}\r\n\r\n"
    )
}

#[tokio::test]
async fn bodies_that_arrive_too_slowly_are_given_up_long_before_their_time() {
    let limits = Limits {
        body_grace: Duration::from_millis(200),
        body_rate: 10_000,
        upload_time: Duration::from_hours(1),
        tool_body_time: Duration::from_hours(1),
        ..Limits::default()
    };
    let server = start(limits).await;
    let message = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 500\r\n\r\n";
    for head in [upload_head(500), message.to_owned()] {
        let mut slow = server.connect().await;
        slow.write_all(format!("{head}{{").as_bytes()).await.unwrap();
        let end = rest(&mut slow).await;
        assert!(end.starts_with("HTTP/1.1 408"), "{end}");
        assert!(end.contains("took too long to arrive"), "{end}");
    }
}

const RESERVED: &str = "appstitch_memory_reserved_bytes{use=\"uploads\"}";

#[tokio::test]
async fn uploads_that_do_not_fit_beside_others_are_asked_to_retry() {
    let server = start(Limits { memory_bytes: 1 << 20, ..Limits::default() }).await;
    let mut first = server.connect().await;
    first.write_all(upload_head(600_000).as_bytes()).await.unwrap();
    first.write_all(&vec![b' '; 500_000]).await.unwrap();
    wait_for(&server, RESERVED, |bytes| bytes >= 600_000).await;

    let mut second = server.connect().await;
    second.write_all(upload_head(600_000).as_bytes()).await.unwrap();
    second.write_all(&vec![b' '; 600_000]).await.unwrap();
    second.shutdown().await.unwrap();
    let response = rest(&mut second).await;
    assert!(response.starts_with("HTTP/1.1 503"), "{response}");
    assert!(response.contains("retry-after: 10\r\n"), "{response}");

    let mut alone = server.connect().await;
    alone.write_all(upload_head(2_000_000).as_bytes()).await.unwrap();
    alone.write_all(&vec![b' '; 2_000_000]).await.unwrap();
    alone.shutdown().await.unwrap();
    let response = rest(&mut alone).await;
    assert!(response.starts_with("HTTP/1.1 413"), "{response}");

    // A client that leaves gives its memory back, and the next upload works.
    drop(first);
    wait_for(&server, RESERVED, |bytes| bytes == 0).await;
    let mut next = server.connect().await;
    let body = r#"{"app":{"slug":"a","name":"A","sources":[]},"sources":null}"#;
    let head = upload_head(body.len()).replace("/admin/records", "/admin/records/a");
    next.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    next.shutdown().await.unwrap();
    let response = rest(&mut next).await;
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    assert_eq!(metric(&server, RESERVED).await, 0);
    assert_eq!(metric(&server, "appstitch_uploads_in_progress").await, 0);
}

#[tokio::test]
async fn an_upload_of_unknown_length_is_cut_off_at_the_limit() {
    let server = start(Limits { upload_bytes: 1000, ..Limits::default() }).await;
    let mut stream = server.connect().await;
    let head = "PUT /admin/records HTTP/1.1\r\nhost: x\r\nauthorization: Bearer secret\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    for _ in 0..20 {
        stream.write_all(format!("64\r\n{}\r\n", " ".repeat(100)).as_bytes()).await.unwrap();
    }
    stream.write_all(b"0\r\n\r\n").await.unwrap();
    let end = rest(&mut stream).await;
    assert!(end.starts_with("HTTP/1.1 413"), "{end}");
    assert!(end.contains("1000 bytes"), "{end}");
}
