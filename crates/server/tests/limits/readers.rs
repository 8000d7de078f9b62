//! Clients that read their answers slowly, or not at all.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::timeout,
};

use super::{Limits, PATIENCE, request, start};

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
            assert!(tries < 100, "{path}: the place is never free");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}
