//! The short way to an answer and the HTTP library's give the same answers.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::{Value, json};

use crate::support::{TestServer, label_and_cask};

/// A status line, the fields as they were sent, and the body.
#[derive(Debug, PartialEq)]
struct RawAnswer {
    status: String,
    fields: Vec<(String, String)>,
    body: Vec<u8>,
}

impl RawAnswer {
    /// Without what differs from answer to answer, and from connection to connection.
    fn comparable(mut self) -> Self {
        self.fields.retain(|(name, value)| {
            !["date", "connection"].contains(&&**name)
                && (name != "x-request-id" || value == "mine")
        });
        self
    }
}

/// A connection that shows what is on the wire.
struct Wire {
    stream: TcpStream,
    answers: BufReader<TcpStream>,
}

impl Wire {
    fn open(server: &TestServer) -> Self {
        let stream = TcpStream::connect(server.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { answers: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    fn write(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap();
    }

    fn answer(&mut self) -> RawAnswer {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        let status = line.trim_end().to_owned();
        let mut fields = Vec::new();
        loop {
            let mut line = String::new();
            self.answers.read_line(&mut line).unwrap();
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            fields.push((name.to_owned(), value.to_owned()));
        }
        let length = fields.iter().find(|(name, _)| name == "content-length");
        let mut body = vec![0; length.map_or(0, |(_, value)| value.parse().unwrap())];
        self.answers.read_exact(&mut body).unwrap();
        RawAnswer { status, fields, body }
    }

    fn ask(&mut self, path: &str, fields: &str) -> RawAnswer {
        self.write(&format!("GET {path} HTTP/1.1\r\nhost: x\r\n{fields}\r\n"));
        self.answer()
    }
}

/// Enough apps for pages that are sent from a file.
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
    let mut short = Wire::open(&server);
    // An upgrade nobody takes is enough for the connection to go to the library.
    let mut library = Wire::open(&server);
    library.ask("/apps?limit=1", "upgrade: nothing\r\n");
    for path in paths {
        for condition in conditions {
            // Asked twice: the second time the body is one that was kept.
            for _ in 0..2 {
                let quick = short.ask(path, condition).comparable();
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

#[tokio::test]
async fn requests_in_one_piece_and_in_many_are_all_answered() {
    let server = server().await;
    let mut wire = Wire::open(&server);
    let read = |slug: &str| format!("GET /apps/{slug} HTTP/1.1\r\nhost: x\r\n\r\n");
    wire.write(&["app-0001", "app-0002", "app-0003"].map(read).concat());
    for slug in ["app-0001", "app-0002", "app-0003"] {
        let answer: Value = serde_json::from_slice(&wire.answer().body).unwrap();
        assert_eq!(answer["slug"], slug);
    }
    for byte in read("app-0004").chars() {
        wire.write(&byte.to_string());
    }
    let answer: Value = serde_json::from_slice(&wire.answer().body).unwrap();
    assert_eq!(answer["slug"], "app-0004");
}

#[tokio::test]
async fn a_connection_may_turn_to_anything_else_and_back() {
    let server = server().await;
    let mut wire = Wire::open(&server);
    let read = "GET /apps/app-0001 HTTP/1.1\r\nhost: x\r\n\r\n";
    let unknown = "GET /apps/nobody HTTP/1.1\r\nhost: x\r\n\r\n";
    let label =
        "POST /apps/app-0001/generate-label HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}";
    // All in one piece: what the short way has received and not answered must not get lost.
    wire.write(&format!("{read}{read}{unknown}{read}{label}{read}"));
    let statuses: Vec<String> = (0..6).map(|_| wire.answer().status).collect();
    let (ok, missing) = ("HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found");
    assert_eq!(statuses, [ok, ok, missing, ok, ok, ok]);
}

#[tokio::test]
async fn a_client_that_reads_slowly_gets_the_whole_of_every_body() {
    let server = server().await;
    let expected = server.get("/apps?limit=1000").await.body;
    let mut wire = Wire::open(&server);
    // More than any socket buffer holds, asked for before a byte of it is taken.
    let read = "GET /apps?limit=1000 HTTP/1.1\r\nhost: x\r\n\r\n";
    wire.write(&read.repeat(40));
    for _ in 0..40 {
        std::thread::sleep(Duration::from_millis(5));
        assert!(wire.answer().body == expected, "a body is not what it should be");
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
    let first = busy.answer();
    server.signal("-TERM");
    let mut rest = Vec::new();
    assert_eq!(silent.answers.read_to_end(&mut rest).unwrap(), 0);
    for _ in 1..10 {
        assert!(busy.answer().body == first.body, "an answer was cut off");
    }
    assert!(server.wait().success());
}
