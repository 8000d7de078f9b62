//! What one client can take: with small limits, over real sockets.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "limits/connections.rs"]
mod connections;
#[path = "limits/proxies.rs"]
mod proxies;
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
const PATIENCE: Duration = Duration::from_secs(10);

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
async fn answer(stream: &mut TcpStream) -> String {
    let mut bytes = [0; 4096];
    let length = timeout(PATIENCE, stream.read(&mut bytes)).await.unwrap().unwrap();
    String::from_utf8_lossy(&bytes[..length]).into_owned()
}

#[tokio::test]
async fn silent_and_half_sent_connections_are_closed() {
    let limits = Limits { header_time: Duration::from_millis(200), ..Limits::default() };
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
async fn a_client_that_has_said_all_it_wants_to_ask_gets_its_answers() {
    let server = start(Limits::default()).await;
    for path in BOTH_WAYS {
        for _ in 0..20 {
            let mut stream = server.connect().await;
            stream.write_all(request(path).repeat(3).as_bytes()).await.unwrap();
            stream.shutdown().await.unwrap();
            let answers = rest(&mut stream).await;
            assert_eq!(answers.matches("HTTP/1.1 200 OK").count(), 3, "{path}: {answers}");
        }
    }
}

#[tokio::test]
async fn a_body_that_takes_too_long_to_compress_is_sent_plain() {
    let wanted = "GET /apps HTTP/1.1\r\nhost: x\r\naccept-encoding: br\r\nconnection: close\r\n";
    // The second is answered by the library.
    for fields in ["", "unknown-field: 1\r\n"] {
        for (request_time, is_compressed) in [(Duration::ZERO, false), (PATIENCE, true)] {
            let server = start(Limits { request_time, ..Limits::default() }).await;
            let mut stream = server.connect().await;
            stream.write_all(format!("{wanted}{fields}\r\n").as_bytes()).await.unwrap();
            let answer = rest(&mut stream).await;
            assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
            assert_eq!(answer.contains("content-encoding: br"), is_compressed, "{request_time:?}");
        }
    }
}

#[tokio::test]
async fn a_head_over_the_limit_is_refused() {
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
async fn an_upload_that_trickles_in_is_given_up() {
    let server =
        start(Limits { upload_time: Duration::from_millis(300), ..Limits::default() }).await;
    let mut slow = server.connect().await;
    let head = "PUT /admin/records HTTP/1.1\r\nhost: x\r\nauthorization: Bearer secret\r\ncontent-length: 100\r\n\r\n{";
    slow.write_all(head.as_bytes()).await.unwrap();
    let end = rest(&mut slow).await;
    assert!(end.starts_with("HTTP/1.1 408"), "{end}");
    assert!(end.contains("took too long to arrive"), "{end}");
}

/// The head of an upload.
fn upload_head(length: usize) -> String {
    format!(
        "PUT /admin/records HTTP/1.1\r\nhost: x\r\nauthorization: Bearer secret\r\ncontent-length: {length}\r\n\r\n"
    )
}

#[tokio::test]
async fn bodies_that_arrive_too_slowly_are_given_up_long_before_their_time() {
    let limits = Limits {
        body_grace: Duration::from_millis(200),
        body_rate: 10_000,
        upload_time: Duration::from_hours(1),
        tool_body_time: Duration::from_hours(1),
        ..Limits::default()
    };
    let server = start(limits).await;
    let message = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 500\r\n\r\n";
    for head in [upload_head(500), message.to_owned()] {
        let mut slow = server.connect().await;
        slow.write_all(format!("{head}{{").as_bytes()).await.unwrap();
        let end = rest(&mut slow).await;
        assert!(end.starts_with("HTTP/1.1 408"), "{end}");
        assert!(end.contains("took too long to arrive"), "{end}");
    }
}

#[tokio::test]
async fn a_message_to_the_tools_has_less_time_than_an_upload() {
    let limits = Limits { tool_body_time: Duration::from_millis(200), ..Limits::default() };
    let server = start(limits).await;
    let mut slow = server.connect().await;
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 500\r\n\r\n{";
    slow.write_all(head.as_bytes()).await.unwrap();
    assert!(rest(&mut slow).await.starts_with("HTTP/1.1 408"));
}

/// The value of a metric.
async fn metric(server: &Running, name: &str) -> u64 {
    let mut stream = server.connect().await;
    let request = "GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let text = rest(&mut stream).await;
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.trim().parse().unwrap()
}

async fn wait_for(server: &Running, name: &str, is_reached: impl Fn(u64) -> bool) {
    for _ in 0..500 {
        if is_reached(metric(server, name).await) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(is_reached(metric(server, name).await), "{name}");
}

const RESERVED: &str = "appstitch_memory_reserved_bytes{use=\"uploads\"}";

#[tokio::test]
async fn uploads_that_do_not_fit_beside_others_are_told_to_come_back() {
    let server = start(Limits { memory_bytes: 1 << 20, ..Limits::default() }).await;
    let mut first = server.connect().await;
    first.write_all(upload_head(600_000).as_bytes()).await.unwrap();
    first.write_all(&vec![b' '; 500_000]).await.unwrap();
    wait_for(&server, RESERVED, |bytes| bytes >= 600_000).await;

    let mut second = server.connect().await;
    second.write_all(upload_head(700_000).as_bytes()).await.unwrap();
    second.write_all(&vec![b' '; 700_000]).await.unwrap();
    second.shutdown().await.unwrap();
    let answer = rest(&mut second).await;
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    assert!(answer.contains("retry-after: 10\r\n"), "{answer}");

    let mut alone = server.connect().await;
    alone.write_all(upload_head(2_000_000).as_bytes()).await.unwrap();
    alone.write_all(&vec![b' '; 2_000_000]).await.unwrap();
    alone.shutdown().await.unwrap();
    let answer = rest(&mut alone).await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");

    // A client that leaves gives its memory back, and the next upload works.
    drop(first);
    wait_for(&server, RESERVED, |bytes| bytes == 0).await;
    let mut next = server.connect().await;
    let body = r#"{"app":{"slug":"a","name":"A","sources":[]},"sources":null}"#;
    let head = upload_head(body.len()).replace("/admin/records", "/admin/records/a");
    next.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    next.shutdown().await.unwrap();
    let answer = rest(&mut next).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(metric(&server, RESERVED).await, 0);
    assert_eq!(metric(&server, "appstitch_uploads_in_progress").await, 0);
}

#[tokio::test]
async fn large_messages_cannot_take_the_memory_of_small_ones() {
    let server = start(Limits { memory_bytes: 8 << 20, ..Limits::default() }).await;
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 200000\r\n\r\n";
    let large = "appstitch_memory_reserved_bytes{use=\"large_messages\"}";
    let mut unfinished = Vec::new();
    for _ in 0..10 {
        let mut stream = server.connect().await;
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&vec![b' '; 150_000]).await.unwrap();
        unfinished.push(stream);
        wait_for(&server, large, |bytes| bytes >= 200_000).await;
    }
    assert!(metric(&server, large).await <= 256 << 10);
    let found = call(&server, "get_app", r#"{"slug":"zoom"}"#).await;
    assert_eq!(found["structuredContent"]["slug"], "zoom");
}

#[tokio::test]
async fn an_upload_of_unknown_length_is_cut_off_at_the_limit() {
    let server = start(Limits { upload_bytes: 1000, ..Limits::default() }).await;
    let mut stream = server.connect().await;
    let head = "PUT /admin/records HTTP/1.1\r\nhost: x\r\nauthorization: Bearer secret\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    for _ in 0..20 {
        stream.write_all(format!("64\r\n{}\r\n", " ".repeat(100)).as_bytes()).await.unwrap();
    }
    stream.write_all(b"0\r\n\r\n").await.unwrap();
    let end = rest(&mut stream).await;
    assert!(end.starts_with("HTTP/1.1 413"), "{end}");
    assert!(end.contains("1000 bytes"), "{end}");
}

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

#[tokio::test]
async fn the_last_answer_before_a_stop_says_so() {
    let server = start(Limits::default()).await;
    let mut busy = server.connect().await;
    busy.write_all(request("/apps/zoom").as_bytes()).await.unwrap();
    assert!(!answer(&mut busy).await.contains("connection: close"));
    // Half a request keeps the connection busy over the stop.
    let (begun, rest_of_it) = ("GET /apps/zoom HTTP/1.1\r\n", "host: x\r\n\r\n");
    busy.write_all(begun.as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    server.stop.send(()).unwrap();
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
    assert!(answer(&mut stuck).await.starts_with("HTTP/1.1 100"), "it waits for the body");
    server.stop.send(()).unwrap();
    timeout(PATIENCE, server.served).await.unwrap().unwrap().unwrap();
}

/// Calls a tool and returns its result.
async fn call(server: &Running, tool: &str, arguments: &str) -> serde_json::Value {
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    );
    let mut stream = server.connect().await;
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body.as_bytes()).await.unwrap();
    let answer = rest(&mut stream).await;
    let json = answer.split_once("\r\n\r\n").unwrap().1;
    serde_json::from_str::<serde_json::Value>(json).unwrap()["result"].clone()
}

#[tokio::test]
async fn a_tool_returns_what_there_is_room_for_and_says_how_to_get_the_rest() {
    const ROOM: usize = 1200;
    let server = start(Limits { tool_bytes: ROOM, ..Limits::default() }).await;
    let text = |result: &serde_json::Value, block: usize| {
        result["content"][block]["text"].as_str().unwrap().to_owned()
    };
    let found = call(&server, "search_apps", r#"{"query":"","limit":100}"#).await;
    assert!(text(&found, 0).len() <= ROOM, "{found}");
    let shown = found["structuredContent"]["result"].as_array().unwrap().len();
    assert!(shown > 0);
    assert!(text(&found, 1).starts_with(&format!("Only the first {shown} of ")), "{found}");

    // Drift can be walked by following the notes.
    let mut offset = 0;
    let mut walked = Vec::new();
    loop {
        let page =
            call(&server, "list_drift", &format!(r#"{{"limit":100,"offset":{offset}}}"#)).await;
        assert!(text(&page, 0).len() <= ROOM, "{page}");
        let entries = page["structuredContent"]["entries"].as_array().unwrap().clone();
        walked.extend(entries.iter().map(|entry| entry["slug"].clone()));
        if page["content"].as_array().unwrap().len() == 1 {
            assert_eq!(page["structuredContent"]["total_with_drift"], walked.len());
            break;
        }
        let note = text(&page, 1);
        offset += entries.len();
        assert!(note.contains(&format!("offset {offset} ")), "{note}");
    }

    let long = call(&server, "get_app_sources", r#"{"slug":"firefoxpkg"}"#).await;
    assert_eq!(long["isError"], true, "{long}");
    assert!(text(&long, 0).contains("/apps/{slug}/sources"), "{long}");
}
