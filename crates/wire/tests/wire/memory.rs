//! Answers count as memory until they are sent.

use std::{sync::atomic::Ordering, time::Duration};

use appstitch_wire::Limits;
use tokio::{io::AsyncWriteExt, net::TcpStream, time::sleep};

use super::{LARGE, Running, request, start};

/// Of this, answers to reads get a sixteenth.
const MEMORY: usize = 128 << 20;
const FOR_READS: usize = MEMORY / 16;

/// What may be made at the same time before it is counted: one response per thread.
const BEING_MADE: usize = 4 * LARGE;

fn limits() -> Limits {
    Limits { threads: Some(2), memory_bytes: MEMORY as u64, ..Limits::default() }
}

/// Asks on many connections and reads nothing.
async fn ask_and_read_nothing(server: &Running, asked: &str, clients: u8) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    for number in 2..2 + clients {
        for _ in 0..100 {
            let mut stream = server.connect_as(number).await;
            // The system keeps the first responses for the client.
            stream.write_all(asked.repeat(20).as_bytes()).await.unwrap();
            streams.push(stream);
        }
    }
    streams
}

#[tokio::test]
async fn unread_responses_of_any_kind_stay_within_the_memory_limit() {
    let by_library = request("/large").replace("\r\n\r\n", "\r\nunknown-field: 1\r\n\r\n");
    for asked in
        [request("/large"), request("/large-on-demand"), request("/large-later"), by_library]
    {
        let server = start(limits());
        let streams = ask_and_read_nothing(&server, &asked, 6).await;
        let refused = || server.counts.refused_for_memory.load(Ordering::Relaxed);
        while refused() == 0 {
            sleep(Duration::from_millis(10)).await;
        }
        sleep(Duration::from_millis(200)).await;
        let most = server.endpoints.most.load(Ordering::Relaxed);
        assert!(most <= FOR_READS + BEING_MADE, "{asked}: {most} bytes");
        // What is ready needs no memory.
        assert!(server.ask_as(99, "/ready").await.ends_with("ready"), "{asked}");
        drop(streams);
        while server.endpoints.live.load(Ordering::Relaxed) > 0 {
            sleep(Duration::from_millis(10)).await;
        }
    }
}

#[tokio::test]
async fn one_client_leaves_memory_for_the_others() {
    let server = start(limits());
    let _streams = ask_and_read_nothing(&server, &request("/large"), 1).await;
    while server.counts.refused_for_memory.load(Ordering::Relaxed) == 0 {
        sleep(Duration::from_millis(10)).await;
    }
    let live = server.endpoints.live.load(Ordering::Relaxed);
    assert!(live <= FOR_READS / 4 + BEING_MADE, "{live} bytes of one client");
    let response = server.ask_as(99, "/large").await;
    assert!(response.starts_with("HTTP/1.1 200") && response.len() > LARGE);
}

#[tokio::test]
async fn a_reader_that_is_too_slow_is_cut_before_it_costs_others() {
    let server = start(limits());
    // Enough clients to take everything; each would have half a minute otherwise.
    let _streams = ask_and_read_nothing(&server, &request("/large"), 6).await;
    let mut tries = 0;
    while !server.ask_as(99, "/large").await.starts_with("HTTP/1.1 200") {
        tries += 1;
        assert!(tries < 100, "the memory is never free");
        sleep(Duration::from_millis(100)).await;
    }
}
