//! Messages to the tools, and their responses.

use std::time::Duration;

use tokio::io::AsyncWriteExt;

use super::{Limits, Running, metric, rest, start, wait_for};

#[tokio::test]
async fn a_message_to_the_tools_has_less_time_than_an_upload() {
    let limits = Limits { tool_body_time: Duration::from_millis(200), ..Limits::default() };
    let server = start(limits).await;
    let mut slow = server.connect().await;
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 500\r\n\r\n{";
    slow.write_all(head.as_bytes()).await.unwrap();
    assert!(rest(&mut slow).await.starts_with("HTTP/1.1 408"));
}

#[tokio::test]
async fn large_messages_cannot_take_the_memory_of_small_ones() {
    let server = start(Limits { memory_bytes: 64 << 20, ..Limits::default() }).await;
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 80000\r\n\r\n";
    let large = "appstitch_memory_reserved_bytes{use=\"large_messages\"}";
    let mut unfinished = Vec::new();
    for number in 2..35 {
        let mut stream = server.connect_as(number).await;
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&vec![b' '; 60_000]).await.unwrap();
        unfinished.push(stream);
        wait_for(&server, large, |bytes| bytes >= 80_000).await;
    }
    assert!(metric(&server, large).await <= 2 << 20);
    let found = call(&server, "get_app", r#"{"slug":"zoom"}"#).await;
    assert_eq!(found["structuredContent"]["slug"], "zoom");
}

#[tokio::test]
async fn one_client_cannot_take_the_memory_of_the_others() {
    // 4 MiB are for small messages. A client may have an eighth of it.
    let limits = Limits {
        memory_bytes: 64 << 20,
        body_grace: Duration::from_mins(1),
        tool_body_time: Duration::from_mins(1),
        ..Limits::default()
    };
    let server = start(limits).await;
    let small = "appstitch_memory_reserved_bytes{use=\"small_messages\"}";
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 16000\r\n\r\n";
    let mut unfinished = Vec::new();
    for _ in 0..300 {
        let mut stream = server.connect_as(2).await;
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&[b' '; 12_000]).await.unwrap();
        unfinished.push(stream);
    }
    wait_for(&server, small, |bytes| bytes >= 32 * 16_000).await;
    // Until the server has read what all of them sent.
    let mut last = 0;
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let now = metric(&server, small).await;
        if now == last {
            break;
        }
        last = now;
    }
    assert_eq!(last, 32 * 16_000, "the share has room for this many");
    let found = call(&server, "get_app", r#"{"slug":"zoom"}"#).await;
    assert_eq!(found["structuredContent"]["slug"], "zoom");
    // What a client gives back, it can use again.
    drop(unfinished);
    wait_for(&server, small, |bytes| bytes == 0).await;
    let mut again = server.connect_as(2).await;
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    again.write_all(head.as_bytes()).await.unwrap();
    assert!(rest(&mut again).await.starts_with("HTTP/1.1 200"));
}

/// Calls a tool and returns its result.
async fn call(server: &Running, tool: &str, arguments: &str) -> serde_json::Value {
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    );
    let mut stream = server.connect().await;
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body.as_bytes()).await.unwrap();
    let response = rest(&mut stream).await;
    let json = response.split_once("\r\n\r\n").unwrap().1;
    serde_json::from_str::<serde_json::Value>(json).unwrap()["result"].clone()
}

#[tokio::test]
async fn a_tool_returns_what_there_is_room_for_and_says_how_to_get_the_rest() {
    const ROOM: usize = 1200;
    let server = start(Limits { tool_bytes: ROOM, ..Limits::default() }).await;
    let text = |result: &serde_json::Value, block: usize| {
        result["content"][block]["text"].as_str().unwrap().to_owned()
    };
    let found = call(&server, "search_apps", r#"{"query":"","limit":100}"#).await;
    assert!(text(&found, 0).len() <= ROOM, "{found}");
    let shown = found["structuredContent"]["result"].as_array().unwrap().len();
    assert!(shown > 0);
    assert!(text(&found, 1).starts_with(&format!("Only the first {shown} of ")), "{found}");

    // Drift can be walked by following the notes.
    let mut offset = 0;
    let mut walked = Vec::new();
    loop {
        let page =
            call(&server, "list_drift", &format!(r#"{{"limit":100,"offset":{offset}}}"#)).await;
        assert!(text(&page, 0).len() <= ROOM, "{page}");
        let entries = page["structuredContent"]["entries"].as_array().unwrap().clone();
        walked.extend(entries.iter().map(|entry| entry["slug"].clone()));
        if page["content"].as_array().unwrap().len() == 1 {
            assert_eq!(page["structuredContent"]["total_with_drift"], walked.len());
            break;
        }
        let note = text(&page, 1);
        offset += entries.len();
        assert!(note.contains(&format!("offset {offset} ")), "{note}");
    }

    let long = call(&server, "get_app_sources", r#"{"slug":"firefoxpkg"}"#).await;
    assert!(text(&long, 0).len() <= ROOM, "{long}");
    assert!(text(&long, 1).contains("this was left out: "), "{long}");
    assert!(text(&long, 1).contains("Call again with source"), "{long}");
}
