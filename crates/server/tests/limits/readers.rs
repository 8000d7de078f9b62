//! Clients that read their responses slowly, or not at all.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

use super::{Limits, PATIENCE, request, start, wait_for};

#[tokio::test]
async fn a_client_that_stops_reading_loses_its_place() {
    let limits = Limits {
        connections: 1,
        reserved_connections: 0,
        write_time: Duration::from_millis(300),
        ..Limits::default()
    };
    let server = start(limits).await;
    // More answers than any socket buffer holds, and none of them read.
    for (path, times) in [("/redoc", 50), ("/apps", 3000)] {
        let mut greedy = server.connect().await;
        let requests = request(path).repeat(times);
        // Once nothing is taken from the server, it takes nothing either.
        let sending = timeout(Duration::from_millis(200), greedy.write_all(requests.as_bytes()));
        let _ = sending.await;
        let mut tries = 0;
        loop {
            let mut next = server.connect().await;
            // It may be closed before it has sent anything.
            let _ = next.write_all(request("/health").as_bytes()).await;
            let mut bytes = [0; 12];
            let _ = timeout(PATIENCE, next.read(&mut bytes)).await.unwrap();
            if bytes == *b"HTTP/1.1 200" {
                break;
            }
            tries += 1;
            assert!(tries < 1000, "{path}: the place is never free");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// The bytes that arrive on a connection that the server has closed.
async fn unread_bytes(mut stream: TcpStream) -> usize {
    let mut bytes = Vec::new();
    let _ = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.unwrap();
    bytes.len()
}

#[tokio::test]
async fn the_system_keeps_little_for_each_of_many_connections() {
    const SYSTEM_KEEPS: usize = 128 << 10;
    // All of them are accepted before the first one is given up, also on a busy machine.
    let limits = Limits { write_time: Duration::from_secs(5), ..Limits::default() };
    let server = start(limits).await;
    // Together longer than any socket buffer, so that none of the connections is done.
    let responses = request("/docs/swagger-ui-bundle.js").repeat(8);
    let mut streams = Vec::new();
    for _ in 0..65 {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        let mut stream = socket.connect(server.address).await.unwrap();
        stream.write_all(responses.as_bytes()).await.unwrap();
        streams.push(stream);
    }
    wait_for(&server, "appstitch_connections ", |open| open == 1).await;
    // Two threads accept them, so the last one to arrive is not always the last one to be accepted.
    let mut bounded = 0;
    for stream in streams {
        let unread = unread_bytes(stream).await;
        assert_ne!(unread, 0);
        bounded += usize::from(unread < SYSTEM_KEEPS);
    }
    assert!((1..8).contains(&bounded), "little is kept for {bounded} of 65");
}

#[tokio::test]
async fn every_response_that_is_made_for_a_request_counts_until_it_is_read() {
    const RESERVED: &str = r#"appstitch_memory_reserved_bytes{use="reads"}"#;
    let paths = [
        "/search?q=com&limit=1000",
        "/changes?since=0&limit=1000",
        "/changes?since=0&limit=1000&squash=true",
        // A longer one that is asked for again is sent from a file.
        "/apps?source=label_tool&limit=15",
        "/a/zoom",
        "/compare?slugs=zoom,firefoxpkg",
        "/metrics",
    ];
    for path in paths {
        let server = start(Limits::default()).await;
        let asked = request(path).repeat(2000);
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        let mut stream = socket.connect(server.address).await.unwrap();
        // Once nothing is taken from the server, it takes nothing either.
        let sending = tokio::spawn(async move {
            let _ = stream.write_all(asked.as_bytes()).await;
            std::future::pending::<()>().await;
        });
        let mut tries = 0;
        while server.metric(RESERVED).await == 0 {
            tries += 1;
            assert!(tries < 3000, "{path} is not counted");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        sending.abort();
    }
}
