//! Invalid requests and special cases: 404, 405, 422, slashes, other origins.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

use reqwest::Method;
use serde_json::json;

use crate::support::TestServer;

#[tokio::test]
async fn an_unknown_slug_and_an_unknown_path_are_told_apart() {
    let server = TestServer::with_sample();
    for path in ["/apps/x", "/apps/x/sources", "/apps/x/drift"] {
        let response = server.get(path).await;
        assert_eq!(response.status, 404);
        assert_eq!(response.text(), r#"{"detail":"App with slug 'x' not found"}"#, "{path}");
    }
    for path in
        ["/nowhere", "/apps/zoom/nothing", "/apps/zoom/sources/x", "/Apps", "/apps//", "/admin"]
    {
        let response = server.get(path).await;
        assert_eq!(response.status, if path == "/apps//" { 307 } else { 404 }, "{path}");
        if path != "/apps//" {
            assert_eq!(response.text(), r#"{"detail":"Not Found"}"#, "{path}");
        }
    }
}

#[tokio::test]
async fn odd_slugs_are_unknown_and_quoted_as_sent() {
    let server = TestServer::with_sample();
    for (path, slug) in [
        ("/apps/a%20b", "a b"),
        ("/apps/%22%5C", "\"\\"),
        ("/apps/%E2%82%AC", "€"),
        ("/apps/%FF", "\u{fffd}"),
        ("/apps/a%2Fb", "a/b"),
        ("/apps/%00", "\u{0}"),
        ("/apps/ZOOM", "ZOOM"),
        ("/apps/%", "%"),
    ] {
        let response = server.get(path).await;
        assert_eq!(response.status, 404, "{path}");
        assert_eq!(response.detail(), format!("App with slug '{slug}' not found"), "{path}");
    }
}

#[tokio::test]
async fn a_method_that_a_path_does_not_take_is_405_and_says_which_it_takes() {
    let server = TestServer::with_sample();
    for (method, path, allowed) in [
        (Method::POST, "/apps", "GET,HEAD"),
        (Method::DELETE, "/apps/zoom", "GET,HEAD"),
        (Method::PUT, "/apps/drift", "GET,HEAD"),
        (Method::GET, "/apps/zoom/generate-label", "POST"),
        (Method::POST, "/stats", "GET,HEAD"),
        (Method::PUT, "/sources", "GET,HEAD"),
        (Method::PATCH, "/health", "GET,HEAD"),
        (Method::GET, "/admin/records", "PUT"),
    ] {
        let response = server.send(server.request(method.clone(), path)).await;
        assert_eq!(response.status, 405, "{method} {path}");
        assert_eq!(response.text(), r#"{"detail":"Method Not Allowed"}"#);
        assert_eq!(response.header("allow").replace(' ', ""), allowed, "{method} {path}");
    }
}

#[tokio::test]
async fn bad_paging_parameters_get_the_validators_answer() {
    let server = TestServer::with_sample();
    let parsing = "Input should be a valid integer, unable to parse string as an integer";
    for path in ["/apps", "/apps/drift"] {
        for text in ["abc", "", "1.5", "true", "0x10"] {
            let response = server.get(&format!("{path}?limit={text}")).await;
            assert_eq!(response.status, 422, "{text}");
            assert_eq!(response.header("content-type"), "application/json");
            assert_eq!(
                response.text(),
                format!(
                    r#"{{"detail":[{{"type":"int_parsing","loc":["query","limit"],"msg":"{parsing}","input":"{text}"}}]}}"#
                )
            );
        }
        for (query, fault) in [
            (
                "limit=0",
                json!({"type": "greater_than_equal", "loc": ["query", "limit"], "msg": "Input should be greater than or equal to 1", "input": "0", "ctx": {"ge": 1}}),
            ),
            (
                "limit=1001",
                json!({"type": "less_than_equal", "loc": ["query", "limit"], "msg": "Input should be less than or equal to 1000", "input": "1001", "ctx": {"le": 1000}}),
            ),
            (
                "offset=-1",
                json!({"type": "greater_than_equal", "loc": ["query", "offset"], "msg": "Input should be greater than or equal to 0", "input": "-1", "ctx": {"ge": 0}}),
            ),
            (
                "limit=99999999999999999999",
                json!({"type": "less_than_equal", "loc": ["query", "limit"], "msg": "Input should be less than or equal to 1000", "input": "99999999999999999999", "ctx": {"le": 1000}}),
            ),
        ] {
            let response = server.get(&format!("{path}?{query}")).await;
            assert_eq!(response.status, 422, "{query}");
            assert_eq!(response.json(), json!({"detail": [fault]}), "{query}");
        }
    }
    let both = server.get("/apps?offset=x&limit=y").await.json();
    assert_eq!(both["detail"][0]["loc"], json!(["query", "limit"]));
    assert_eq!(both["detail"][1]["loc"], json!(["query", "offset"]));
    assert_eq!(server.get("/apps?limit=bad&limit=2").await.slugs().len(), 2, "the last one wins");
    for text in ["1.0", "%201%20", "+1", "%2B1", "01", "0_1"] {
        assert_eq!(server.get(&format!("/apps?limit={text}")).await.slugs().len(), 1, "{text}");
    }
}

#[tokio::test]
async fn a_slash_too_many_leads_to_the_path_without_it() {
    let server = TestServer::with_sample();
    for (path, target) in [
        ("/apps/", "/apps"),
        ("/apps/?limit=1&vendor=a%20b", "/apps?limit=1&vendor=a%20b"),
        ("/apps/zoom/", "/apps/zoom"),
        ("/stats/", "/stats"),
        ("/sources/", "/sources"),
        ("/docs/", "/docs"),
    ] {
        let response = server.get(path).await;
        assert_eq!(
            (response.status.as_u16(), response.header("location")),
            (307, target),
            "{path}"
        );
    }
    assert_eq!(server.get("//example.com/").await.status, 404, "never to another host");
}

#[tokio::test]
async fn public_reads_answer_any_origin_and_uploads_none() {
    let server = TestServer::with_sample();
    for path in
        ["/apps", "/apps/zoom", "/apps/nobody", "/stats", "/health", "/openapi.json", "/nowhere"]
    {
        let response = server.get_with(path, "origin", "https://elsewhere.example").await;
        assert_eq!(response.header("access-control-allow-origin"), "*", "{path}");
        assert_eq!(response.header("access-control-allow-credentials"), "", "{path}");
    }
    let ask = |path: &str| {
        server
            .request(Method::OPTIONS, path)
            .header("origin", "https://elsewhere.example")
            .header("access-control-request-method", "GET")
            .header("access-control-request-headers", "if-none-match")
    };
    let asked = server.send(ask("/apps")).await;
    assert_eq!(asked.status, 204);
    assert!(asked.header("access-control-allow-headers").contains("if-none-match"));
    assert!(asked.header("access-control-allow-methods").contains("GET"));
    let admin = server.send(ask("/admin/records")).await;
    assert_eq!(admin.header("access-control-allow-origin"), "");
    assert_eq!(admin.status, 405);
}

/// Sends raw bytes and returns the status line of the response.
fn raw(server: &TestServer, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    // The server may reject the request and close before everything is sent.
    let _ = stream.write_all(request);
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response);
    String::from_utf8_lossy(&response).lines().next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn malformed_requests_are_refused_and_the_server_goes_on() {
    let server = TestServer::with_sample();
    for request in [
        &b"nonsense\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"GET /apps HTTP/9.9\r\n\r\n",
        b"\x00\x01\x02\r\n\r\n",
        b"GET /apps HTTP/1.1\r\nbroken header\r\n\r\n",
    ] {
        let status = raw(&server, request);
        assert!(
            status.is_empty()
                || status.starts_with("HTTP/1.1 400")
                || status.starts_with("HTTP/1.1 505"),
            "{status}"
        );
    }
    let long = format!("GET /apps HTTP/1.1\r\nhost: x\r\nx-long: {}\r\n\r\n", "a".repeat(100_000));
    let refused = raw(&server, long.as_bytes());
    assert!(refused.is_empty() || refused.starts_with("HTTP/1.1 431"), "{refused}");
    assert!(
        raw(&server, b"GET /apps/%zz%\xc3 HTTP/1.1\r\nhost: x\r\n\r\n").starts_with("HTTP/1.1 4")
    );
    assert_eq!(server.get("/health").await.status, 200);
}
