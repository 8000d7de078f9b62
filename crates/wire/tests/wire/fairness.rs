//! Nobody waits behind somebody else's work.

use std::{sync::atomic::Ordering, time::Duration};

use appstitch_wire::Limits;
use tokio::{io::AsyncWriteExt, time::sleep};

use super::{request, start};

/// Waits until so many reads wait for a worker.
async fn until_waiting(server: &super::Running, count: usize) {
    while server.counts.waiting_reads.load(Ordering::Relaxed) != count {
        sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn others_are_answered_while_first_requests_take_seconds() {
    for threads in [1, 2] {
        let server = start(Limits { threads: Some(threads), ..Limits::default() });
        let mut slow = Vec::new();
        for _ in 0..8 {
            let mut stream = server.connect_as(2).await;
            stream.write_all(request("/slow").as_bytes()).await.unwrap();
            slow.push(stream);
        }
        until_waiting(&server, 8 - threads).await;
        for number in [2, 3] {
            assert!(server.ask_as(number, "/ready").await.ends_with("ready"));
        }
        let left = server.counts.waiting_reads.load(Ordering::Relaxed);
        assert!(left > 0, "they waited until the slow ones were over");
    }
}

#[tokio::test]
async fn another_client_is_next_however_much_one_has_asked_for() {
    let server = start(Limits { threads: Some(1), ..Limits::default() });
    let mut greedy = Vec::new();
    for _ in 0..6 {
        let mut stream = server.connect_as(2).await;
        stream.write_all(request("/slow").as_bytes()).await.unwrap();
        greedy.push(stream);
    }
    until_waiting(&server, 5).await;
    assert!(server.ask_as(3, "/slow").await.ends_with("slow"));
    let left = server.counts.waiting_reads.load(Ordering::Relaxed);
    assert!(left >= 3, "only {left} of the greedy client's reads still wait");
}

#[tokio::test]
async fn a_read_without_room_to_wait_is_rejected() {
    let limits = Limits { threads: Some(1), waiting_reads: 8, ..Limits::default() };
    let server = start(limits);
    let mut waiting = Vec::new();
    for count in 0..3 {
        let mut stream = server.connect_as(2).await;
        stream.write_all(request("/slow").as_bytes()).await.unwrap();
        waiting.push(stream);
        // The first one is worked on.
        until_waiting(&server, count).await;
    }
    let refused = server.ask_as(2, "/slow").await;
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    assert!(refused.contains("retry-after: 1\r\n"), "{refused}");
    assert!(server.ask_as(3, "/slow").await.starts_with("HTTP/1.1 200"), "others have room");
    assert!(server.ask_as(2, "/ready").await.starts_with("HTTP/1.1 200"));
    assert_eq!(server.counts.refused_for_work.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_read_waits_once_for_what_it_needs() {
    let server = start(Limits::default());
    assert!(server.ask_as(2, "/waits").await.ends_with("there"));
    let twice = server.ask_as(2, "/waits-again").await;
    assert!(twice.starts_with("HTTP/1.1 503"), "{twice}");
}
