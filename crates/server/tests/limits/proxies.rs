//! Clients behind a trusted proxy.

use appstitch_server::TrustedProxies;
use tokio::{io::AsyncWriteExt, net::TcpStream};

use super::{Limits, PATIENCE, Running, request, response, start};

/// A server that trusts `127.0.0.1`, and clients that may have one connection each.
async fn behind_proxy() -> Running {
    let limits = Limits {
        connections: 100,
        client_connections: Some(1),
        trusted_proxies: TrustedProxies::read("127.0.0.1").unwrap(),
        // The calls wait for their bodies until the end.
        body_grace: PATIENCE,
        tool_body_time: PATIENCE,
        ..Limits::default()
    };
    start(limits).await
}

/// Begins a tool call through a connection, for clients as the proxy names them; returns the first
/// line of what comes back.
async fn begin_call(stream: &mut TcpStream, forwarded_for: &str) -> String {
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: {forwarded_for}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nexpect: 100-continue\r\ncontent-length: 1000\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    response(stream).await.lines().next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn connections_of_a_proxy_have_no_share() {
    let server = behind_proxy().await;
    let mut streams = Vec::new();
    for _ in 0..5 {
        streams.push(server.connect().await);
    }
    for stream in &mut streams {
        stream.write_all(request("/apps/zoom").as_bytes()).await.unwrap();
        assert!(response(stream).await.starts_with("HTTP/1.1 200"));
    }
}

#[tokio::test]
async fn a_client_behind_a_proxy_has_its_share_of_requests() {
    let server = behind_proxy().await;
    let mut first = server.connect().await;
    assert_eq!(begin_call(&mut first, "192.0.2.1").await, "HTTP/1.1 100 Continue");
    // The client itself can have written what comes before the last address.
    for forwarded_for in ["192.0.2.1", "198.51.100.7, 192.0.2.1", "192.0.2.1, 127.0.0.1"] {
        let mut again = server.connect().await;
        let line = begin_call(&mut again, forwarded_for).await;
        assert_eq!(line, "HTTP/1.1 503 Service Unavailable", "{forwarded_for}");
    }
    let mut other = server.connect().await;
    assert_eq!(begin_call(&mut other, "192.0.2.1, 192.0.2.2").await, "HTTP/1.1 100 Continue");
    // Reads are answered at once and not counted.
    let mut read = server.connect().await;
    let asked = "GET /apps/zoom HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 192.0.2.1\r\n\r\n";
    read.write_all(asked.as_bytes()).await.unwrap();
    assert!(response(&mut read).await.starts_with("HTTP/1.1 200"));
    // Nobody else is believed.
    let mut stranger = server.connect_as(2).await;
    assert_eq!(begin_call(&mut stranger, "192.0.2.1").await, "HTTP/1.1 100 Continue");
}
