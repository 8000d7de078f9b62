//! Turns between connections.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::{Limits, request, response, start, value};

/// How many requests one client sends at once.
const FLOOD: usize = 500;

/// More than some turns have, and far less than the flood.
const FEW: u64 = 128;

/// How often the flood may be over before the reader is heard: the server does not wait for a test that
/// the system has stopped between two lines.
const TRIES: usize = 50;

const ANSWERED: &str = r#"appstitch_requests_total{route="/apps/{slug}",status="304"}"#;

/// How many requests of the flood were answered, according to the metrics.
async fn answered(reader: &mut TcpStream) -> u64 {
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    loop {
        let count = reader.read(&mut part).await.unwrap();
        assert_ne!(count, 0);
        bytes.extend_from_slice(&part[..count]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        if body.len() == length.parse::<usize>().unwrap() {
            return value(body, ANSWERED);
        }
    }
}

#[tokio::test]
async fn others_get_their_turn_during_a_flood_of_requests() {
    // Both connections have the same thread.
    let server = start(Limits { threads: Some(1), ..Limits::default() }).await;
    let unchanged = "GET /apps/zoom HTTP/1.1\r\nhost: x\r\nif-none-match: *\r\n\r\n";
    let mut flood = server.connect().await;
    let mut reader = server.connect().await;
    for stream in [&mut flood, &mut reader] {
        stream.write_all(request("/health").as_bytes()).await.unwrap();
        assert!(response(stream).await.starts_with("HTTP/1.1 200"));
    }
    let requests = unchanged.repeat(FLOOD);
    let mut seen = Vec::new();
    for _ in 0..TRIES {
        reader.write_all(request("/metrics").as_bytes()).await.unwrap();
        let before = answered(&mut reader).await;
        assert_eq!(flood.try_write(requests.as_bytes()).unwrap(), requests.len());
        reader.try_write(request("/metrics").as_bytes()).unwrap();
        let meanwhile = answered(&mut reader).await - before;
        // The flood is answered as well, in the end.
        let mut responses = String::new();
        let mut bytes = vec![0; 1 << 16];
        while responses.matches("HTTP/1.1 304").count() < FLOOD {
            let count = flood.read(&mut bytes).await.unwrap();
            assert_ne!(count, 0);
            responses.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
        if (1..=FEW).contains(&meanwhile) {
            return;
        }
        seen.push(meanwhile);
    }
    panic!("answers before it was the reader's turn: {seen:?}");
}
