//! Room for the next connection: which one is closed, and who is served when none is idle.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use super::{Limits, PATIENCE, Running, request, response, rest, start, wait_for};

const CLOSED_FOR_ROOM: &str = r#"appstitch_connections_closed_total{reason="room"}"#;
const CLOSED_FOR_SHARE: &str = r#"appstitch_connections_closed_total{reason="share"}"#;

/// Sends a request and expects it to be answered.
async fn is_answered(stream: &mut TcpStream, path: &str) -> bool {
    stream.write_all(request(path).as_bytes()).await.is_ok()
        && response(stream).await.starts_with("HTTP/1.1 200")
}

const REFUSED: &str = "appstitch_connections_refused_total";

/// Whether the server has closed a connection, without having sent anything more.
async fn is_closed(stream: &mut TcpStream) -> bool {
    let mut byte = [0];
    // A connection with bytes that nobody read is reset.
    matches!(timeout(PATIENCE, stream.read(&mut byte)).await, Ok(Ok(0) | Err(_)))
}

#[tokio::test]
async fn the_longest_idle_connection_is_closed_for_the_next() {
    let server = start(Limits { connections: 3, ..Limits::default() }).await;
    // Two threads accept connections; this is one after the other.
    let mut silent = server.connect_as(2).await;
    wait_for(&server, "appstitch_connections ", |open| open == 2).await;
    let mut half = server.connect_as(3).await;
    half.write_all(b"GET /apps/zoom HTTP/1.1\r\n").await.unwrap();
    wait_for(&server, "appstitch_connections ", |open| open == 3).await;
    let mut idle = server.connect_as(4).await;
    assert!(is_answered(&mut idle, "/apps/zoom").await);

    let mut next = server.connect_as(5).await;
    assert!(is_answered(&mut next, "/health").await);
    assert!(is_closed(&mut silent).await);
    // Sending a byte now and then does not keep a place.
    half.write_all(b"h").await.unwrap();
    let mut next_but_one = server.connect_as(6).await;
    assert!(is_answered(&mut next_but_one, "/health").await);
    assert!(is_closed(&mut half).await);

    // A request does.
    assert!(is_answered(&mut idle, "/apps/zoom").await);
    let mut last = server.connect_as(7).await;
    assert!(is_answered(&mut last, "/health").await);
    assert!(is_closed(&mut next).await);
    assert!(is_answered(&mut idle, "/apps/zoom").await);
}

#[tokio::test]
async fn idle_connections_of_the_library_are_closed_for_the_next() {
    let server = start(Limits { connections: 1, ..Limits::default() }).await;
    for number in 2..6 {
        let mut stream = server.connect_as(number).await;
        stream.write_all(request("/docs").as_bytes()).await.unwrap();
        let mut bytes = vec![0; 1 << 20];
        let mut filled = 0;
        while !String::from_utf8_lossy(&bytes[..filled]).ends_with("</html>\n") {
            let read = timeout(PATIENCE, stream.read(&mut bytes[filled..])).await.unwrap();
            let count = read.unwrap();
            assert_ne!(count, 0, "{}", String::from_utf8_lossy(&bytes[..filled]));
            filled += count;
        }
        let mut next = server.connect_as(number + 100).await;
        assert!(is_answered(&mut next, "/apps/zoom").await);
        assert!(is_closed(&mut stream).await);
    }
}

#[tokio::test]
async fn a_client_with_its_share_closes_its_own_connections() {
    let limits = Limits { connections: 100, client_connections: Some(3), ..Limits::default() };
    let server = start(limits).await;
    let mut oldest = server.connect_as(2).await;
    assert!(is_answered(&mut oldest, "/apps/zoom").await);
    let mut greedy = Vec::new();
    for _ in 0..8 {
        let mut stream = server.connect_as(3).await;
        assert!(is_answered(&mut stream, "/apps/zoom").await);
        greedy.push(stream);
    }
    for stream in &mut greedy[..5] {
        assert!(is_closed(stream).await);
    }
    for stream in &mut greedy[5..] {
        assert!(is_answered(stream, "/apps/zoom").await);
    }
    assert!(is_answered(&mut oldest, "/apps/zoom").await, "it is not the oldest one's share");
    assert_eq!(server.metric(CLOSED_FOR_SHARE).await, 5);
    assert_eq!(server.metric(CLOSED_FOR_ROOM).await, 0);
    wait_for(&server, "appstitch_connections ", |open| open == 5).await;
}

/// An upload of 100 bytes that has begun and is not complete.
async fn begin_upload(server: &Running, number: u8) -> TcpStream {
    let mut upload = server.connect_as(number).await;
    let head = "PUT /admin/records?allow_shrink=true HTTP/1.1\r\nhost: x\r\nauthorization: Bearer secret\r\nexpect: 100-continue\r\ncontent-length: 100\r\nconnection: close\r\n\r\n";
    upload.write_all(head.as_bytes()).await.unwrap();
    assert!(response(&mut upload).await.starts_with("HTTP/1.1 100"), "it waits for the body");
    upload
}

#[tokio::test]
async fn health_and_administration_are_served_when_everything_is_busy() {
    // The uploads wait for their bodies until the end.
    let limits = Limits {
        connections: 2,
        reserved_connections: 2,
        body_grace: PATIENCE,
        ..Limits::default()
    };
    let server = start(limits).await;
    let mut upload = begin_upload(&server, 2).await;
    let mut other = begin_upload(&server, 3).await;

    // A short read is answered at once, and the connection ends with it.
    for path in ["/health", "/metrics", "/apps/zoom"] {
        let mut stream = server.connect_as(4).await;
        stream.write_all(request(path).as_bytes()).await.unwrap();
        let response = rest(&mut stream).await;
        assert!(response.starts_with("HTTP/1.1 200"), "{path}: {response}");
        assert!(response.contains("connection: close\r\n"), "{path}: {response}");
    }
    // The connection ends even if more was sent with the request.
    let mut stream = server.connect_as(4).await;
    let pipelined = format!("{}{}", request("/health"), request("/apps?limit=1000"));
    stream.write_all(pipelined.as_bytes()).await.unwrap();
    let received = response(&mut stream).await;
    assert!(received.contains("connection: close\r\n"), "{received}");
    assert_eq!(received.matches("HTTP/1.1").count(), 1, "{received}");
    drop(stream);
    // Its place is free when the server has seen that it is closed.
    wait_for(&server, "appstitch_connections ", |open| open == 3).await;
    let refused = server.metric(REFUSED).await;
    // Half a request is waited for.
    let mut slow = server.connect_as(4).await;
    slow.write_all(b"GET /health HTTP/1.1\r\n").await.unwrap();
    tokio::task::yield_now().await;
    slow.write_all(b"host: x\r\n\r\n").await.unwrap();
    assert!(rest(&mut slow).await.starts_with("HTTP/1.1 200"));
    // Whatever needs a place is refused.
    for path in ["/docs", "/mcp"] {
        let mut stream = server.connect_as(4).await;
        stream.write_all(request(path).as_bytes()).await.unwrap();
        let response = rest(&mut stream).await;
        assert!(response.starts_with("HTTP/1.1 503"), "{path}: {response}");
        assert!(response.contains("retry-after: 1\r\n"), "{path}: {response}");
        assert!(response.ends_with("are in use; try again\"}"), "{path}: {response}");
    }
    assert_eq!(server.metric(REFUSED).await - refused, 2);
    // Administration has a reserved place, for one request.
    let mut admin = server.connect_as(5).await;
    let unresolved =
        "GET /admin/labels/unresolved HTTP/1.1\r\nhost: x\r\nauthorization: Bearer secret\r\n\r\n";
    admin.write_all(unresolved.as_bytes()).await.unwrap();
    let response = rest(&mut admin).await;
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    assert!(response.contains("connection: close\r\n"), "{response}");

    // Nothing has happened to the uploads.
    for stream in [&mut upload, &mut other] {
        stream.write_all(&[b' '; 100]).await.unwrap();
        assert!(rest(stream).await.starts_with("HTTP/1.1 "), "it is answered");
    }
}

#[tokio::test]
async fn silent_connections_do_not_keep_reserved_places() {
    // The upload waits for its body until the end.
    let limits = Limits {
        connections: 1,
        reserved_connections: 2,
        body_grace: PATIENCE,
        ..Limits::default()
    };
    let server = start(limits).await;
    let _busy = begin_upload(&server, 2).await;
    let mut silent = Vec::new();
    for number in 10..20 {
        silent.push(server.connect_as(number).await);
    }
    // A silent one that another thread accepts later may take its place before it has asked.
    let mut tries = 0;
    loop {
        let mut health = server.connect_as(3).await;
        if is_answered(&mut health, "/health").await {
            break;
        }
        tries += 1;
        assert!(tries < silent.len(), "silent connections keep the reserved places");
    }
    assert!(is_closed(&mut silent[0]).await || is_closed(&mut silent[1]).await);
}

#[tokio::test]
async fn a_response_that_is_being_sent_is_not_cut_off() {
    for (path, times) in [("/redoc", 50), ("/apps", 3000)] {
        let server = start(Limits { connections: 1, ..Limits::default() }).await;
        let slow = server.connect_as(2).await;
        let requests = request(path).repeat(times);
        // More answers than any socket buffer holds. The server takes all requests only when the
        // answers are read.
        let (mut responses, mut asking) = slow.into_split();
        let sending = tokio::spawn(async move {
            asking.write_all(requests.as_bytes()).await.unwrap();
            asking
        });
        // Once the first byte is here, the server is busy with more than it can send.
        assert_eq!(timeout(PATIENCE, responses.peek(&mut [0])).await.unwrap().unwrap(), 1);
        let mut next = server.connect_as(3).await;
        next.write_all(request("/health").as_bytes()).await.unwrap();
        let health = rest(&mut next).await;
        assert!(health.contains("connection: close\r\n"), "{path}: a reserved place: {health}");

        let mut count = 0;
        let mut bytes = vec![0; 1 << 20];
        let mut filled = 0;
        while count < times {
            let read = timeout(PATIENCE, responses.read(&mut bytes[filled..])).await.unwrap();
            let read = read.unwrap();
            assert_ne!(read, 0, "{path}: closed after {count} answers");
            filled += read;
            count += String::from_utf8_lossy(&bytes[..filled]).matches("HTTP/1.1 200").count();
            // The beginning of a status line may be the end of what was read.
            let kept = filled.min(11);
            bytes.copy_within(filled - kept..filled, 0);
            filled = kept;
        }
        sending.await.unwrap();
    }
}
