//! Thousands of connections to the real program: whoever comes next is answered.

use std::{net::SocketAddr, time::Duration};

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit, setrlimit};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

use crate::support::{Program, TestServer, eventually, run, series};

/// Connections that stay open: silent ones, ones with half a request, and idle ones.
const SILENT: usize = 4000;
const HALF: usize = 3000;
const IDLE: usize = 3000;

/// What the whole process may grow by for them.
const MOST_GROWTH: u64 = 100 << 20;

/// Enough files for the connections and the other tests of this process.
const FILES: u64 = 12_000;

fn raise_file_limit() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    assert!(
        maximum.is_none_or(|maximum| maximum >= FILES),
        "the hard limit of open files is below {FILES}: raise it with `ulimit -Hn {FILES}` as root"
    );
    if current.is_some_and(|current| current < FILES) {
        let raised = Rlimit { current: maximum.or(Some(FILES)), maximum };
        setrlimit(Resource::Nofile, raised).unwrap();
    }
}

/// Connects as one of several clients: a connection has an address of this machine as its source.
async fn connect(server: &TestServer, number: usize) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    let client = u8::try_from(2 + number % 16).unwrap();
    socket.bind(SocketAddr::from(([127, 0, 1, client], 0))).unwrap();
    socket.connect(server.address().parse().unwrap()).await.unwrap()
}

async fn connect_all(server: &TestServer, count: usize, sent: &[u8]) -> Vec<TcpStream> {
    let mut streams = Vec::with_capacity(count);
    for number in 0..count {
        let mut stream = connect(server, number).await;
        stream.write_all(sent).await.unwrap();
        streams.push(stream);
    }
    streams
}

/// Asks as a new client, and waits five seconds at most: far less than the server waits for the others. One
/// retry: the machine may be busy.
async fn ask(server: &TestServer, path: &str) -> String {
    for _ in 0..2 {
        let asked = async {
            let mut stream = TcpStream::connect(server.address()).await?;
            let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
            stream.write_all(request.as_bytes()).await?;
            let mut response = String::new();
            stream.read_to_string(&mut response).await?;
            std::io::Result::Ok(response)
        };
        if let Ok(Ok(response)) = timeout(Duration::from_secs(5), asked).await {
            return response;
        }
    }
    panic!("{path} is not answered");
}

/// Waits until so many connections are open. Several threads accept them, so the last one may be
/// accepted before the others.
async fn wait_for_open(server: &TestServer, count: f64) {
    let are_open =
        async || series(&ask(server, "/metrics").await, "appstitch_connections") >= count;
    eventually(&format!("less than {count} connections are open"), are_open).await;
}

/// The memory of the server in bytes.
fn memory(server: &TestServer) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.process_id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

/// A server with at most this many open files, or with this soft limit.
fn with_files(limit: &str, arguments: &[&str]) -> (TestServer, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let command = Program::command_after(&format!("ulimit {limit}"));
    let store = folder.path().join("catalog.db");
    let server = TestServer::start_command(command, &store, arguments, |command| {
        command.stderr(std::process::Stdio::piped());
    });
    (server, folder)
}

#[tokio::test]
async fn a_new_reader_is_answered_while_ten_thousand_connections_are_open() {
    raise_file_limit();
    let server = TestServer::with_sample();
    ask(&server, "/apps/zoom").await;
    let before = memory(&server);
    let silent = connect_all(&server, SILENT, b"").await;
    let half = connect_all(&server, HALF, b"GET /apps/zoom HTTP/1.1\r\nhost: ").await;
    let read = b"GET /apps/zoom HTTP/1.1\r\nhost: x\r\n\r\n";
    let mut idle = connect_all(&server, IDLE, read).await;
    for stream in &mut idle {
        let mut start = [0; 12];
        timeout(Duration::from_secs(20), stream.read_exact(&mut start)).await.unwrap().unwrap();
        assert_eq!(&start, b"HTTP/1.1 200");
    }
    assert!(ask(&server, "/apps/zoom").await.starts_with("HTTP/1.1 200"));
    assert!(ask(&server, "/health").await.starts_with("HTTP/1.1 200"));
    wait_for_open(&server, 10_000.0).await;
    let growth = memory(&server).saturating_sub(before);
    assert!(growth < MOST_GROWTH, "{growth} bytes for ten thousand connections");
    drop((silent, half, idle));
}

#[tokio::test]
async fn few_open_files_are_enough_for_the_next_reader() {
    let (mut server, _folder) = with_files("-n 200", &[]);
    let silent = connect_all(&server, 300, b"").await;
    let half = connect_all(&server, 300, b"GET /apps").await;
    for path in ["/apps/zoom", "/health"] {
        assert!(ask(&server, path).await.starts_with("HTTP/1.1 200"), "{path}");
    }
    let metrics = ask(&server, "/metrics").await;
    assert!(series(&metrics, "appstitch_connections") < 200.0, "{metrics}");
    drop((silent, half));
    server.signal("-TERM");
    assert!(server.wait().success());
    // Six hundred connections, and a line when they began and one at the end.
    let logs = server.stderr();
    let lines = logs.lines().filter(|line| line.contains("closed idle connections")).count();
    assert!((1..=2).contains(&lines), "{logs}");
    assert!(logs.contains("closed_for_room") || logs.contains("closed_for_share"), "{logs}");
    assert!(logs.lines().count() < 10, "{logs}");
}

#[tokio::test]
async fn the_soft_limit_of_open_files_is_raised() {
    let (server, _folder) = with_files("-S -n 64", &[]);
    let streams = connect_all(&server, 200, b"GET /apps").await;
    wait_for_open(&server, 200.0).await;
    drop(streams);
}

#[tokio::test]
async fn a_server_without_free_files_closes_idle_connections() {
    let server = TestServer::with_sample();
    let streams = connect_all(&server, 100, b"").await;
    wait_for_open(&server, 100.0).await;
    // All further files are taken by somebody else, as it were.
    let process = Pid::from_raw(i32::try_from(server.process_id()).unwrap());
    let few = Rlimit { current: Some(64), maximum: getrlimit(Resource::Nofile).maximum };
    prlimit(process, Resource::Nofile, few).unwrap();
    for _ in 0..5 {
        assert!(ask(&server, "/health").await.starts_with("HTTP/1.1 200"));
    }
    drop(streams);
}

#[test]
fn an_invalid_proxy_is_named() {
    let (code, _, stderr) =
        run(&["serve", "--listen=127.0.0.1:0", "--trusted-proxies=10.0.0.0/8,proxy.example"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("invalid proxy 'proxy.example'"), "{stderr}");
}
