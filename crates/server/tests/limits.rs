//! What one client can take: with small limits, over real sockets.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "limits/bodies.rs"]
mod bodies;
#[path = "limits/connections.rs"]
mod connections;
#[path = "limits/inventories.rs"]
mod inventories;
#[path = "limits/proxies.rs"]
mod proxies;
#[path = "limits/readers.rs"]
mod readers;
#[path = "limits/tools.rs"]
mod tools;
#[path = "limits/turns.rs"]
mod turns;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use appstitch_publish::{BackgroundPriority, Publisher, load_sample};
use appstitch_server::{DeployToken, Limits, Service, ToolAccess, serve};
use appstitch_store::{Store, StoreAddress};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::oneshot,
    task::JoinHandle,
    time::timeout,
};

/// Longer than any limit of these tests, shorter than anybody's patience.
const PATIENCE: Duration = Duration::from_secs(30);

struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    served: JoinHandle<std::io::Result<()>>,
    _folder: TempDir,
}

async fn start(limits: Limits) -> Running {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&StoreAddress::Sqlite(folder.path().join("catalog.db"))).await.unwrap();
    let publisher = Arc::new(Publisher::open(store, BackgroundPriority::Normal).await.unwrap());
    load_sample(&publisher).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let service =
        Service::new(publisher, DeployToken::new("secret"), limits, ToolAccess::default());
    let (stop, stopped) = oneshot::channel();
    let served = tokio::spawn(serve(listener, service, async {
        let _ = stopped.await;
    }));
    Running { address, stop, served, _folder: folder }
}

impl Running {
    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// Connects as another client of this machine: from `127.0.0.number`.
    async fn connect_as(&self, number: u8) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from(([127, 0, 0, number], 0))).unwrap();
        socket.connect(self.address).await.unwrap()
    }

    /// The value of a metric, from a connection of its own.
    async fn metric(&self, series: &str) -> u64 {
        let mut stream = self.connect_as(99).await;
        let asked = "GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        stream.write_all(asked.as_bytes()).await.unwrap();
        value(&rest(&mut stream).await, series)
    }
}

/// The value of a metric; 0 if there is none.
fn value(metrics: &str, series: &str) -> u64 {
    let values = metrics.lines().filter_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    values.map(|value| value.parse::<u64>().unwrap()).next().unwrap_or_default()
}

/// The value of a metric.
async fn metric(server: &Running, name: &str) -> u64 {
    let mut stream = server.connect().await;
    let request = "GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let text = rest(&mut stream).await;
    // There may be no room for this request.
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.map_or(u64::MAX, |line| line.trim().parse().unwrap())
}

async fn wait_for(server: &Running, name: &str, is_reached: impl Fn(u64) -> bool) {
    // For at least a minute.
    for _ in 0..3000 {
        if is_reached(metric(server, name).await) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(is_reached(metric(server, name).await), "{name}");
}

/// A path that is answered on the fast path, and one that the HTTP library answers.
const BOTH_WAYS: [&str; 2] = ["/apps?limit=5", "/docs"];

fn request(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n")
}

/// Everything the server sends until it closes.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.unwrap().unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// One answer on a connection that stays open.
async fn response(stream: &mut TcpStream) -> String {
    let mut bytes = [0; 4096];
    // Nothing if the connection was reset.
    let length = timeout(PATIENCE, stream.read(&mut bytes)).await.unwrap().unwrap_or_default();
    String::from_utf8_lossy(&bytes[..length]).into_owned()
}

#[tokio::test]
async fn silent_and_half_sent_connections_are_closed() {
    // Long enough to send a head on a busy machine.
    let limits = Limits { header_time: Duration::from_secs(1), ..Limits::default() };
    let server = start(limits).await;
    let mut silent = server.connect().await;
    assert_eq!(rest(&mut silent).await, "");
    for path in BOTH_WAYS {
        let mut half = server.connect().await;
        half.write_all(format!("GET {path} HTTP/1.1\r\nhost: ").as_bytes()).await.unwrap();
        let end = rest(&mut half).await;
        assert!(end.is_empty() || end.starts_with("HTTP/1.1 408"), "{path}: {end}");
        let mut idle = server.connect().await;
        idle.write_all(request(path).as_bytes()).await.unwrap();
        assert!(rest(&mut idle).await.starts_with("HTTP/1.1 200"), "{path}: answered, then closed");
    }
}

#[tokio::test]
async fn a_client_that_has_said_all_it_wants_to_ask_gets_its_responses() {
    let server = start(Limits::default()).await;
    for path in BOTH_WAYS {
        for _ in 0..20 {
            let mut stream = server.connect().await;
            stream.write_all(request(path).repeat(3).as_bytes()).await.unwrap();
            stream.shutdown().await.unwrap();
            let responses = rest(&mut stream).await;
            assert_eq!(responses.matches("HTTP/1.1 200 OK").count(), 3, "{path}: {responses}");
        }
    }
}

#[tokio::test]
async fn a_body_that_takes_too_long_to_compress_is_sent_plain() {
    let wanted = "GET /apps HTTP/1.1\r\nhost: x\r\naccept-encoding: br\r\nconnection: close\r\n";
    // The second is answered by the library.
    for fields in ["", "unknown-field: 1\r\n"] {
        for (request_time, is_compressed) in [(Duration::ZERO, false), (PATIENCE, true)] {
            let limits = Limits { request_time, compression_time: PATIENCE, ..Limits::default() };
            let server = start(limits).await;
            let mut stream = server.connect().await;
            stream.write_all(format!("{wanted}{fields}\r\n").as_bytes()).await.unwrap();
            let response = rest(&mut stream).await;
            assert!(response.starts_with("HTTP/1.1 200 OK"), "{response}");
            assert_eq!(
                response.contains("content-encoding: br"),
                is_compressed,
                "{request_time:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_head_over_the_limit_is_rejected() {
    let server =
        start(Limits { header_bytes: 8 << 10, header_fields: 20, ..Limits::default() }).await;
    let mut long = server.connect().await;
    let head = format!("GET /health HTTP/1.1\r\nx: {}\r\n\r\n", "a".repeat(9 << 10));
    long.write_all(head.as_bytes()).await.unwrap();
    assert!(rest(&mut long).await.starts_with("HTTP/1.1 431"));
    for path in BOTH_WAYS {
        let mut many = server.connect().await;
        let head = format!("GET {path} HTTP/1.1\r\n{}\r\n", "x: y\r\n".repeat(30));
        many.write_all(head.as_bytes()).await.unwrap();
        assert!(rest(&mut many).await.starts_with("HTTP/1.1 431"), "{path}");
    }
}

#[tokio::test]
async fn the_last_response_before_a_stop_says_so() {
    let server = start(Limits::default()).await;
    let mut busy = server.connect().await;
    busy.write_all(request("/apps/zoom").as_bytes()).await.unwrap();
    assert!(!response(&mut busy).await.contains("connection: close"));
    // Half a request keeps the connection busy over the stop. It arrives with the one before it, so it has
    // arrived when that is answered.
    let (begun, rest_of_it) = ("GET /apps/zoom HTTP/1.1\r\n", "host: x\r\n\r\n");
    busy.write_all(format!("{}{begun}", request("/apps/zoom")).as_bytes()).await.unwrap();
    assert!(!response(&mut busy).await.contains("connection: close"));
    server.stop.send(()).unwrap();
    // Meanwhile, the server hears of it: its task is on this thread.
    tokio::time::sleep(Duration::from_millis(100)).await;
    busy.write_all(rest_of_it.as_bytes()).await.unwrap();
    let last = rest(&mut busy).await;
    assert!(last.starts_with("HTTP/1.1 200") && last.contains("connection: close\r\n"), "{last}");
    timeout(PATIENCE, server.served).await.unwrap().unwrap().unwrap();
}

#[tokio::test]
async fn stopping_does_not_wait_for_ever() {
    let limits = Limits { stop_time: Duration::from_millis(300), ..Limits::default() };
    let server = start(limits).await;
    let mut stuck = server.connect().await;
    let head = "PUT /admin/records HTTP/1.1\r\nhost: x\r\nauthorization: Bearer secret\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n";
    stuck.write_all(head.as_bytes()).await.unwrap();
    assert!(response(&mut stuck).await.starts_with("HTTP/1.1 100"), "it waits for the body");
    server.stop.send(()).unwrap();
    timeout(PATIENCE, server.served).await.unwrap().unwrap().unwrap();
}
