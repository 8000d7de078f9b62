//! Clients that check large lists of installed apps, many at once, or read the verdicts slowly.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

use super::{Limits, PATIENCE, Running, rest, start};

const RESERVED: &str = r#"appstitch_memory_reserved_bytes{use="inventories"}"#;

/// A list of so many apps that are not in the catalog.
fn list(apps: usize) -> Vec<u8> {
    let mut list = b"name,version\n".to_vec();
    for number in 0..apps {
        list.extend(format!("Google Microsoft Adobe Zoom Desktop {number},1\n").into_bytes());
    }
    list
}

fn request(list: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST /inventory/check?suggest=true HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        list.len()
    );
    [head.as_bytes(), list].concat()
}

/// Checks a list as another client. Returns how the response begins.
async fn check(server: &Running, client: u8, list: &[u8]) -> String {
    let mut stream = server.connect_as(client).await;
    stream.write_all(&request(list)).await.unwrap();
    rest(&mut stream).await.chars().take(12).collect()
}

/// Sends large lists as so many clients, eight each, and waits until none of them can be sent any more.
async fn crowd(server: &Running, clients: u8, large: &[u8]) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    for client in 10..10 + clients {
        for _ in 0..8 {
            let mut stream = server.connect_as(client).await;
            stream.write_all(&request(large)).await.unwrap();
            streams.push(stream);
        }
    }
    streams
}

/// Nobody waits for the lists of others to be done, and a few clients do not shut out the others.
#[tokio::test(flavor = "multi_thread")]
async fn a_short_list_does_not_wait_for_long_ones() {
    let server = start(Limits { memory_bytes: 16 << 30, ..Limits::default() }).await;
    let large = list(90_000);
    for clients in [1, 6] {
        let streams = crowd(&server, clients, &large).await;
        for client in 50..60 {
            assert_eq!(check(&server, client, &list(1)).await, "HTTP/1.1 200");
        }
        let mut unfinished = 0;
        for mut stream in streams {
            let mut bytes = [0; 1];
            let read = timeout(Duration::from_millis(1), stream.read(&mut bytes)).await;
            unfinished += usize::from(read.is_err());
        }
        assert!(unfinished > 0, "the long lists were done before the short ones");
    }
}

/// Whoever does not read what it asked for loses it as soon as others need the memory.
#[tokio::test(flavor = "multi_thread")]
async fn slow_readers_do_not_keep_the_memory_of_others() {
    // A sixteenth is for inventories, and a client has an eighth of that.
    let limits = Limits {
        memory_bytes: 16 * (64 << 20),
        write_time: Duration::from_mins(10),
        ..Limits::default()
    };
    let server = start(limits).await;
    let large = list(10_000);
    let mut unread = Vec::new();
    for client in 10..40 {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        socket.bind(([127, 0, 0, client], 0).into()).unwrap();
        let mut stream = socket.connect(server.address).await.unwrap();
        // It may be refused before it has sent everything.
        let _ = stream.write_all(&request(&large)).await;
        unread.push(stream);
    }
    let mut tries = 0;
    while server.metric(RESERVED).await < 30 << 20 {
        tries += 1;
        assert!(tries < 5000, "the answers are not counted");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let checked = async {
        while check(&server, 50, &large).await != "HTTP/1.1 200" {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(3 * PATIENCE, checked).await.unwrap();
    let mut tries = 0;
    while server.metric(RESERVED).await > 40 << 20 {
        tries += 1;
        assert!(tries < 5000, "the slow readers still have their answers");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
