//! Turns between connections.

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{Limits, answer, request, start, value};

/// How many requests one client sends at once.
const FLOOD: usize = 500;

/// More than one turn has, and far less than the flood.
const FEW: u64 = 64;

// Everything runs on one thread: what is sent before the test waits is there when the server goes
// on.
#[tokio::test]
async fn others_get_their_turn_during_a_flood_of_requests() {
    let server = start(Limits::default()).await;
    let unchanged = "GET /apps/zoom HTTP/1.1\r\nhost: x\r\nif-none-match: *\r\n\r\n";
    let mut flood = server.connect().await;
    let mut reader = server.connect().await;
    for stream in [&mut flood, &mut reader] {
        stream.write_all(request("/health").as_bytes()).await.unwrap();
        assert!(answer(stream).await.starts_with("HTTP/1.1 200"));
    }
    let requests = unchanged.repeat(FLOOD);
    assert_eq!(flood.try_write(requests.as_bytes()).unwrap(), requests.len());
    reader.try_write(request("/metrics").as_bytes()).unwrap();

    let metrics = answer(&mut reader).await;
    let answered =
        value(&metrics, r#"appstitch_requests_total{route="/apps/{slug}",status="304"}"#);
    assert!((1..=FEW).contains(&answered), "{answered} answers before it was the reader's turn");
    // The flood is answered as well, in the end.
    let mut answers = String::new();
    let mut bytes = vec![0; 1 << 16];
    while answers.matches("HTTP/1.1 304").count() < FLOOD {
        let count = flood.read(&mut bytes).await.unwrap();
        assert_ne!(count, 0);
        answers.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
}
