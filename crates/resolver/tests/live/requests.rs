//! What is sent, and what a label sees of the answer.

use crate::{
    label, options, run_one,
    server::{Response, Server},
    version,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_request_says_who_asks_and_does_not_ask_for_compression() {
    let server = Server::start(|_| Response::page("1.0")).await;
    let lines = format!("appNewVersion=$(curl -fs '{}/a?b=c#d')", server.base);
    run_one(label("app", &lines), options()).await;
    let request = &server.requests()[0];
    assert_eq!((request.method.as_str(), request.path.as_str()), ("GET", "/a?b=c"));
    let agent = concat!("appstitch/", env!("CARGO_PKG_VERSION"));
    assert_eq!(request.header("user-agent"), Some(agent));
    assert_eq!(request.header("accept"), Some("*/*"));
    assert_eq!(request.header("accept-encoding"), None);
    assert_eq!(request.header("content-length"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_of_the_label_are_sent_once_and_in_order() {
    let server = Server::start(|_| Response::page("1.0")).await;
    let lines = format!(
        "appNewVersion=$(curl -fs -A 'Mozilla/5.0 (Macintosh)' -H 'X-B: 2' -H 'X-A: 1' -H 'Accept: text/html' -H 'Bad Name: x' -H 'Content-Length: 99' {})",
        server.base
    );
    assert_eq!(version(&run_one(label("app", &lines), options()).await), "1.0");
    let request = &server.requests()[0];
    let headers: Vec<&str> = request
        .headers
        .iter()
        .map(String::as_str)
        .filter(|line| !line.to_lowercase().starts_with("host:"))
        .collect();
    assert_eq!(
        headers,
        ["user-agent: Mozilla/5.0 (Macintosh)", "x-b: 2", "x-a: 1", "accept: text/html"],
        "invalid names and the client's own headers are left out"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn no_label_asks_for_another_host_than_that_of_its_address() {
    let server = Server::start(|_| Response::page("1.0")).await;
    for host in ["Host: internal.example", "host:internal.example"] {
        let lines = format!("appNewVersion=$(curl -fs -H '{host}' {})", server.base);
        let run = run_one(label("app", &lines), options()).await;
        let report = format!("{run:?}");
        assert!(report.contains("labels may not set the header 'Host'"), "{report}");
    }
    assert!(server.requests().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_are_posted() {
    let server = Server::start(|request| Response::page(&request.body)).await;
    let lines = format!("appNewVersion=$(curl -fs -d 'os=mac' -d 'v=1' {})", server.base);
    assert_eq!(version(&run_one(label("app", &lines), options()).await), "os=mac&v=1");
    let request = &server.requests()[0];
    assert_eq!(request.method, "POST");
    assert_eq!(request.header("content-type"), Some("application/x-www-form-urlencoded"));
    assert_eq!(request.header("content-length"), Some("10"));
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_are_asked_for_and_headers_keep_their_order() {
    let server = Server::start(|_| {
        Response::status("200 OK", "X-Second: 2\r\nLocation: here-1.5\r\nx-a: \u{e4}\r\n", "")
    })
    .await;
    let lines = format!("appNewVersion=$(curl -sI {})", server.base);
    let run = run_one(label("app", &lines), options()).await;
    assert_eq!(server.requests()[0].method, "HEAD");
    // In lower case, as over HTTP/2, which a Mac speaks with nearly every host.
    let text = version(&run).replace('\r', "");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..4], ["HTTP/1.1 200 OK", "x-second: 2", "location: here-1.5", "x-a: ä"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn redirects_are_followed_hop_by_hop_if_the_label_says_so() {
    let server = Server::start(|request| match request.path.as_str() {
        "/start" => Response::status("302 Found", "location: /next\r\n", ""),
        "/next" => Response::status("301 Moved", "location: last?v=3\r\n", ""),
        _ => Response::page("3.0"),
    })
    .await;
    let lines = format!("appNewVersion=$(curl -fs {}/start)", server.base);
    assert_eq!(version(&run_one(label("app", &lines), options()).await), "");
    let lines = lines.replace("-fs", "-fsL");
    assert_eq!(version(&run_one(label("app", &lines), options()).await), "3.0");
    assert_eq!(server.paths(), ["/start", "/start", "/next", "/last?v=3"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_no_text_are_replaced() {
    let server = Server::start(|_| {
        let mut bytes =
            b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: close\r\n\r\n1.".to_vec();
        bytes.extend([0xff, b'2']);
        Response::Bytes(bytes)
    })
    .await;
    let lines = format!("appNewVersion=$(curl -fs {})", server.base);
    assert_eq!(version(&run_one(label("app", &lines), options()).await), "1.\u{fffd}2");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_length_of_a_body_that_is_not_sent_does_not_count() {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 999999999\r\nconnection: close\r\n\r\n";
    let server = Server::start(move |_| Response::Bytes(head.into())).await;
    let lines = format!("appNewVersion=$(curl -sI {} | grep -o '9*')", server.base);
    assert_eq!(version(&run_one(label("app", &lines), options()).await), "999999999");
}
