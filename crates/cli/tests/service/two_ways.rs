//! The fast path and the HTTP library give the same responses.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::{Value, json};

use crate::support::{TestServer, label_and_cask};

/// A status line, the header fields as sent, and the body.
#[derive(Debug, PartialEq)]
struct RawResponse {
    status: String,
    fields: Vec<(String, String)>,
    body: Vec<u8>,
}

impl RawResponse {
    /// Without the fields that differ between responses or connections.
    fn comparable(mut self) -> Self {
        self.fields.retain(|(name, value)| {
            !["date", "connection"].contains(&&**name)
                && (name != "x-request-id" || value == "mine")
        });
        self
    }
}

/// A connection for raw requests and responses.
struct Wire {
    stream: TcpStream,
    responses: BufReader<TcpStream>,
}

impl Wire {
    fn open(server: &TestServer) -> Self {
        let stream = TcpStream::connect(server.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { responses: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    fn write(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap();
    }

    fn response(&mut self) -> RawResponse {
        let mut response = self.head();
        let length = response.fields.iter().find(|(name, _)| name == "content-length");
        response.body = vec![0; length.map_or(0, |(_, value)| value.parse().unwrap())];
        self.responses.read_exact(&mut response.body).unwrap();
        response
    }

    fn head(&mut self) -> RawResponse {
        let mut line = String::new();
        self.responses.read_line(&mut line).unwrap();
        let status = line.trim_end().to_owned();
        let mut fields = Vec::new();
        loop {
            let mut line = String::new();
            self.responses.read_line(&mut line).unwrap();
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            fields.push((name.to_owned(), value.to_owned()));
        }
        RawResponse { status, fields, body: Vec::new() }
    }

    fn ask(&mut self, path: &str, fields: &str) -> RawResponse {
        self.ask_with("GET", path, fields)
    }

    fn ask_with(&mut self, method: &str, path: &str, fields: &str) -> RawResponse {
        self.write(&format!("{method} {path} HTTP/1.1\r\nhost: x\r\n{fields}\r\n"));
        if method == "HEAD" { self.head() } else { self.response() }
    }

    /// Everything until the server closes the connection.
    fn rest(&mut self) -> String {
        let mut rest = String::new();
        self.responses.read_to_string(&mut rest).unwrap();
        rest
    }
}

/// A server with enough apps for pages that are sent from a file.
async fn server() -> TestServer {
    let records: Vec<Value> = (0..1200)
        .map(|number| {
            let vendor = ["Acme", "Other"][number % 2];
            let mut record =
                label_and_cask(&format!("app-{number:04}"), Some(vendor), "1.0", "2.0");
            record["app"]["download_url"] = json!(format!("https://example.com/{number}.dmg"));
            record
        })
        .collect();
    TestServer::with_records(&records).await
}

#[tokio::test]
async fn both_ways_send_the_same_fields_in_the_same_order_and_the_same_body() {
    let server = server().await;
    let etag = server.etag().await;
    let unchanged = format!("if-none-match: {etag}\r\n");
    let paths = [
        "/apps",
        "/apps?limit=1",
        "/apps?limit=1000",
        "/apps?limit=1000&offset=150",
        "/apps?vendor=acme",
        "/apps?vendor=acme&source=label_tool&limit=600",
        "/apps?exclude_source=recipe_index&limit=7&offset=7",
        "/apps?vendor=nobody",
        "/apps/drift",
        "/apps/drift?limit=1000",
        "/apps/jamf-index",
        "/apps/app-0007",
        "/apps/app%2D0007",
        "/apps/app-0007/sources",
        "/apps/app-0007/drift",
        "/apps/app-0007/provenance",
        "/apps/app-0007/details",
        "/aliases/APP-0007",
        "/apps?deprecated=false&limit=9",
        "/apps/drift?include=mdm_installer,store_listing",
    ];
    let conditions = [
        "",
        "accept-encoding: gzip\r\n",
        "Accept-Encoding: zstd;q=0.5, br\r\n",
        "accept-encoding: gzip;q=0\r\naccept-encoding: zstd\r\n",
        &unchanged,
        "if-none-match: \"other\"\r\nif-none-match: *\r\n",
        "if-none-match: \"other\"\r\n",
        "x-request-id: mine\r\nconnection: keep-alive\r\nuser-agent: test\r\n",
    ];
    let (mut fast, mut library) = both(&server);
    for path in paths {
        for condition in conditions {
            // Requested twice: the second body is from the cache.
            for _ in 0..2 {
                let quick = fast.ask(path, condition).comparable();
                let usual = library.ask(path, condition).comparable();
                assert_eq!(quick, usual, "{path} with {condition:?}");
                let status = if condition.contains("none-match: W/") || condition.contains('*') {
                    "HTTP/1.1 304 Not Modified"
                } else {
                    "HTTP/1.1 200 OK"
                };
                assert_eq!(quick.status, status, "{path} with {condition:?}");
            }
        }
    }
}

/// A connection on the fast path, and one that the library handles.
fn both(server: &TestServer) -> (Wire, Wire) {
    let mut library = Wire::open(server);
    // An unsupported upgrade moves the connection to the library.
    library.ask("/apps?limit=1", "upgrade: nothing\r\n");
    (Wire::open(server), library)
}

#[tokio::test]
async fn everything_but_uploads_tools_and_pages_is_the_same_both_ways() {
    let server = server().await;
    let (mut fast, mut library) = both(&server);
    let paths = [
        "/apps",
        "/apps?limit=0",
        "/apps?limit=x&offset=-1",
        "/apps/drift?offset=x",
        "/apps/app-0007",
        "/apps/nobody",
        "/apps/nobody/sources",
        "/apps/APP-0007/sources",
        "/apps/app-0007/drift?include=x",
        "/aliases/nobody",
        "/apps/app-0007/nothing",
        "/apps/",
        "/apps/app-0007/?x=1",
        "/apps/app-0007/generate-label",
        "/apps/nobody/generate-label",
        "/stats",
        "/stats/",
        "/sources",
        "/health",
        "/openapi.json",
        "/nobody",
        "/",
    ];
    let statuses: std::collections::BTreeSet<String> = paths
        .iter()
        .flat_map(|path| ["GET", "HEAD", "POST", "OPTIONS"].map(|method| (method, path)))
        .flat_map(|pair| ["", "accept: text/x-shellscript\r\n"].map(|fields| (pair, fields)))
        .map(|((method, path), fields)| {
            let mut quick = fast.ask_with(method, path, fields).comparable();
            let mut usual = library.ask_with(method, path, fields).comparable();
            // The library sends the content-length of an empty body last.
            quick.fields.sort();
            usual.fields.sort();
            assert_eq!(quick, usual, "{method} {path} with {fields:?}");
            quick.status
        })
        .collect();
    let expected = ["200", "204", "307", "404", "405", "422"];
    assert_eq!(statuses.len(), expected.len(), "{statuses:?}");
    for (status, expected) in statuses.iter().zip(expected) {
        assert!(status.starts_with(&format!("HTTP/1.1 {expected} ")), "{statuses:?}");
    }
}

#[tokio::test]
async fn connections_end_as_the_client_says_both_ways() {
    let server = server().await;
    let closes = "connection: close\r\n";
    for (version, fields, status, says) in [
        ("1.1", closes, "HTTP/1.1 200 OK", Some("close")),
        ("1.0", "", "HTTP/1.0 200 OK", None),
        ("1.0", closes, "HTTP/1.0 200 OK", None),
    ] {
        for library in ["", "upgrade: nothing\r\n"] {
            let mut wire = Wire::open(&server);
            wire.write(&format!(
                "GET /apps/app-0001 HTTP/{version}\r\nhost: x\r\n{fields}{library}\r\n"
            ));
            let response = wire.response();
            let said = response.fields.iter().find(|(name, _)| name == "connection");
            assert_eq!(response.status, status, "{version} {fields:?} {library:?}");
            assert_eq!(said.map(|(_, value)| value.as_str()), says);
            assert_eq!(wire.rest(), "", "the server closes");
        }
    }
    // HTTP/1.0 connections can be persistent as well.
    for library in ["", "upgrade: nothing\r\n"] {
        let mut wire = Wire::open(&server);
        for _ in 0..2 {
            wire.write(&format!("GET /stats HTTP/1.0\r\nconnection: keep-alive\r\n{library}\r\n"));
            let response = wire.response();
            assert_eq!(response.status, "HTTP/1.0 200 OK");
            assert!(response.fields.contains(&("connection".to_owned(), "keep-alive".to_owned())));
        }
    }
}

#[tokio::test]
async fn an_answer_before_the_end_reaches_a_client_that_sends_more() {
    let server = server().await;
    let mut wire = Wire::open(&server);
    let last = "GET /apps/app-0001 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    let more = "GET /apps/app-0002 HTTP/1.1\r\nhost: x\r\n\r\n".repeat(20);
    wire.write(&format!("{last}{more}"));
    let response: Value = serde_json::from_slice(&wire.response().body).unwrap();
    assert_eq!(response["slug"], "app-0001");
    assert_eq!(wire.rest(), "", "nothing after the last response");
}

#[tokio::test]
async fn a_request_has_exactly_one_host_both_ways() {
    let server = server().await;
    for library in ["", "upgrade: nothing\r\n"] {
        for (version, hosts, status) in [
            ("1.1", "", 400),
            ("1.1", "host: x\r\n", 200),
            ("1.1", "host: x\r\nHost: x\r\n", 400),
            ("1.0", "", 200),
            ("1.0", "host: x\r\nhost: y\r\n", 400),
        ] {
            let mut wire = Wire::open(&server);
            wire.write(&format!("GET /apps/app-0001 HTTP/{version}\r\n{hosts}{library}\r\n"));
            let response = wire.response();
            let start = format!("HTTP/{version} {status} ");
            assert!(
                response.status.starts_with(&start),
                "{} for {hosts:?} {library:?}",
                response.status
            );
            if status == 400 {
                let body: Value = serde_json::from_slice(&response.body).unwrap();
                assert!(body["detail"].as_str().unwrap().contains("Host"), "{body}");
            }
        }
    }
    let mut wire = Wire::open(&server);
    wire.write("PUT /admin/records HTTP/1.1\r\ncontent-length: 0\r\n\r\n");
    assert!(wire.response().status.starts_with("HTTP/1.1 400 "), "also for uploads");
}

#[tokio::test]
async fn requests_in_one_piece_and_in_many_are_all_answered() {
    let server = server().await;
    let mut wire = Wire::open(&server);
    let read = |slug: &str| format!("GET /apps/{slug} HTTP/1.1\r\nhost: x\r\n\r\n");
    wire.write(&["app-0001", "app-0002", "app-0003"].map(read).concat());
    for slug in ["app-0001", "app-0002", "app-0003"] {
        let response: Value = serde_json::from_slice(&wire.response().body).unwrap();
        assert_eq!(response["slug"], slug);
    }
    for byte in read("app-0004").chars() {
        wire.write(&byte.to_string());
    }
    let response: Value = serde_json::from_slice(&wire.response().body).unwrap();
    assert_eq!(response["slug"], "app-0004");
}

#[tokio::test]
async fn a_connection_may_turn_to_anything_else_and_back() {
    let server = server().await;
    let mut wire = Wire::open(&server);
    let read = "GET /apps/app-0001 HTTP/1.1\r\nhost: x\r\n\r\n";
    let unknown = "GET /apps/nobody HTTP/1.1\r\nhost: x\r\n\r\n";
    let label =
        "POST /apps/app-0001/generate-label HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}";
    // All at once: requests that the fast path has received but not answered must not get lost.
    wire.write(&format!("{read}{read}{unknown}{read}{label}{read}"));
    let statuses: Vec<String> = (0..6).map(|_| wire.response().status).collect();
    let (ok, missing) = ("HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found");
    assert_eq!(statuses, [ok, ok, missing, ok, ok, ok]);
}

#[tokio::test]
async fn a_client_that_reads_slowly_gets_the_whole_of_every_body() {
    let server = server().await;
    let expected = server.get("/apps?limit=1000").await.body;
    let mut wire = Wire::open(&server);
    // Requests more than any socket buffer holds, before reading any of it.
    let read = "GET /apps?limit=1000 HTTP/1.1\r\nhost: x\r\n\r\n";
    wire.write(&read.repeat(40));
    for _ in 0..40 {
        std::thread::sleep(Duration::from_millis(5));
        assert!(wire.response().body == expected, "wrong body");
    }
}

#[tokio::test]
async fn stopping_closes_a_silent_connection_and_finishes_a_busy_one() {
    let mut server = server().await;
    let mut silent = Wire::open(&server);
    silent.ask("/apps/app-0001", "");
    let mut busy = Wire::open(&server);
    let read = "GET /apps?limit=1000 HTTP/1.1\r\nhost: x\r\n\r\n";
    busy.write(&read.repeat(10));
    let first = busy.response();
    server.signal("-TERM");
    let mut rest = Vec::new();
    assert_eq!(silent.responses.read_to_end(&mut rest).unwrap(), 0);
    for _ in 1..10 {
        assert!(busy.response().body == first.body, "a response was cut off");
    }
    assert!(server.wait().success());
}
