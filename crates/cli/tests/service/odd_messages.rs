//! Odd messages to the tools over the wire: each gets an error of JSON-RPC.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Response, TestServer};

async fn send(server: &TestServer, body: impl Into<reqwest::Body>) -> Response {
    let request = server
        .request(Method::POST, "/mcp")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .body(body);
    server.send(request).await
}

fn call_with_id(id: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"get_app","arguments":{{"slug":"zoom"}}}}}}"#
    )
}

const PARSE: i64 = -32700;
const REQUEST: i64 = -32600;
const METHOD: i64 = -32601;
const PARAMS: i64 = -32602;

#[tokio::test]
async fn odd_ids_are_invalid_requests() {
    let server = TestServer::with_sample();
    for id in [
        "null", "true", "false", "1.5", "-0.1", "1e-2", "9223372036854775808",
        "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "9007199254740993.0", "1e300", "[]", "[1]", "{}", r#"{"a":1}"#,
    ] {
        for body in [call_with_id(id), format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)]
        {
            let response = send(&server, body.clone()).await;
            assert_eq!(response.status, 400, "{body}: {response:?}");
            let error = response.json();
            assert_eq!(error["error"]["code"], REQUEST, "{body}");
            assert_eq!((&error["jsonrpc"], &error["id"]), (&json!("2.0"), &Value::Null), "{body}");
            let why = error["error"]["message"].as_str().unwrap();
            assert!(why.starts_with("Invalid Request: id is not"), "{why}");
        }
    }
    // A number that JSON readers cannot hold.
    let response = send(&server, call_with_id("1e400")).await;
    assert_eq!((response.status.as_u16(), &response.json()["error"]["code"]), (400, &json!(PARSE)));
}

#[tokio::test]
async fn unusual_ids_that_are_allowed_come_back() {
    let server = TestServer::with_sample();
    for (id, back) in [
        ("0", json!(0)),
        ("-1", json!(-1)),
        ("1.0", json!(1)),
        ("1e2", json!(100)),
        ("9223372036854775807", json!(i64::MAX)),
        ("-9223372036854775808", json!(i64::MIN)),
        (r#""""#, json!("")),
        (r#""a\"b\u00e9""#, json!("a\"bé")),
        (r#""null""#, json!("null")),
    ] {
        let response = send(&server, call_with_id(id)).await;
        assert_eq!(response.status, 200, "{id}: {response:?}");
        let message = response.json();
        assert_eq!(message["id"], back, "{id}");
        assert_eq!(message["result"]["structuredContent"]["slug"], "zoom", "{id}");
    }
}

/// Messages, the code of the error, and the id of the error as JSON.
const TABLE: &[(&str, i64, &str)] = &[
    ("", PARSE, "null"),
    (" \n", PARSE, "null"),
    ("{", PARSE, "null"),
    ("nul", PARSE, "null"),
    ("{'a':1}", PARSE, "null"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}x"#, PARSE, "null"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}{}"#, PARSE, "null"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#, PARSE, "null"),
    (r#"{"jsonrpc":"2.0","id":01,"method":"ping"}"#, PARSE, "null"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"#, PARSE, "1"),
    ("\u{feff}{}", PARSE, "null"),
    ("null", REQUEST, "null"),
    ("1", REQUEST, "null"),
    ("\"ping\"", REQUEST, "null"),
    ("true", REQUEST, "null"),
    ("[]", REQUEST, "null"),
    (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, REQUEST, "null"),
    ("{}", REQUEST, "null"),
    (r#"{"id":1,"method":"ping"}"#, REQUEST, "1"),
    (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, REQUEST, "1"),
    (r#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#, REQUEST, "1"),
    (r#"{"jsonrpc":"2.0"}"#, REQUEST, "null"),
    (r#"{"jsonrpc":"2.0","id":"x"}"#, REQUEST, r#""x""#),
    (r#"{"jsonrpc":"2.0","id":1,"params":{}}"#, REQUEST, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":null}"#, REQUEST, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, REQUEST, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":["ping"]}"#, REQUEST, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#, REQUEST, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"ping","error":{}}"#, REQUEST, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#, REQUEST, "1"),
    (r#"{"jsonrpc":"2.0","result":{}}"#, REQUEST, "null"),
    (r#"{"jsonrpc":"2.0","id":null,"result":{}}"#, REQUEST, "null"),
    (r#"{"jsonrpc":"2.0","id":1,"error":5}"#, REQUEST, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"y"}}"#, REQUEST, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}"#, REQUEST, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":5}"#, REQUEST, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":true}"#, REQUEST, "1"),
    // Nobody asked for these responses.
    (r#"{"jsonrpc":"2.0","id":5,"result":{}}"#, REQUEST, "null"),
    (r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}"#, REQUEST, "null"),
    // Repeated keys.
    (r#"{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}"#, REQUEST, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}"#, REQUEST, "null"),
    (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, REQUEST, "null"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}"#, REQUEST, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"ping","\u006dethod":"ping"}"#, REQUEST, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{},"params":{}}"#, REQUEST, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"ping","x":1,"x":2}"#, REQUEST, "1"),
    (
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_app","name":"get_app","arguments":{}}}"#,
        REQUEST,
        "1",
    ),
    (
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_app","arguments":{"slug":"zoom","slug":"firefox"}}}"#,
        REQUEST,
        "1",
    ),
    (
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_app","arguments":{"slug":{"a":1,"a":2}}}}"#,
        REQUEST,
        "1",
    ),
    // Parameters that do not fit.
    (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, PARAMS, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["get_app"]}"#, PARAMS, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, PARAMS, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#, PARAMS, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#, PARAMS, "1"),
    (
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_app","arguments":[]}}"#,
        PARAMS,
        "1",
    ),
    (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no_tool"}}"#, PARAMS, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"x"}}"#, PARAMS, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":5}}"#, PARAMS, "1"),
    // Methods that do not exist.
    (r#"{"jsonrpc":"2.0","id":1,"method":""}"#, METHOD, "1"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, METHOD, "1"),
    (r#"{"jsonrpc":"2.0","id":"a","method":"rpc.discover","params":{"x":1}}"#, METHOD, r#""a""#),
];

#[tokio::test]
async fn every_odd_message_gets_a_json_rpc_error() {
    let server = TestServer::with_sample();
    for (body, code, id) in TABLE.iter().copied() {
        let id: Value = serde_json::from_str(id).unwrap();
        let response = send(&server, body).await;
        assert_eq!(response.header("content-type"), "application/json", "{body}: {response:?}");
        let error = response.json();
        assert_eq!(error["jsonrpc"], "2.0", "{body}: {error}");
        assert_eq!(error["error"]["code"], code, "{body}: {error}");
        assert_eq!(error.get("id").unwrap_or(&Value::Null), &id, "{body}: {error}");
        assert!(!error["error"]["message"].as_str().unwrap().is_empty(), "{body}");
        if [PARSE, REQUEST].contains(&code) {
            assert_eq!(response.status, 400, "{body}");
        }
    }
    let deep = "[".repeat(100_000);
    assert_eq!(send(&server, deep).await.json()["error"]["code"], PARSE);
    let not_text =
        send(&server, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}".to_vec()).await;
    assert_eq!(not_text.json()["error"]["code"], PARSE);
    let call = send(&server, call_with_id("1")).await;
    assert_eq!(call.json()["result"]["structuredContent"]["slug"], "zoom");
}

#[tokio::test]
async fn notifications_are_accepted_without_an_answer() {
    let server = TestServer::with_sample();
    for body in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/unknown","params":{"a":1}}"#,
    ] {
        let response = send(&server, body).await;
        assert_eq!((response.status.as_u16(), response.text()), (202, ""), "{body}");
    }
}

#[tokio::test]
async fn requests_that_the_sdk_rejects_for_their_headers_get_a_json_rpc_error_too() {
    let server = TestServer::with_sample();
    for (accept, kind, version, status) in [
        ("application/json", "application/json", "2025-06-18", 406),
        ("application/json, text/event-stream", "text/plain", "2025-06-18", 415),
        ("application/json, text/event-stream", "application/json", "1999-01-01", 400),
    ] {
        let request = server
            .request(Method::POST, "/mcp")
            .header("accept", accept)
            .header("content-type", kind)
            .header("mcp-protocol-version", version)
            .body(call_with_id("7"));
        let response = server.send(request).await;
        assert_eq!(response.status, status, "{response:?}");
        let error = response.json();
        assert_eq!((&error["id"], error["error"]["code"].is_i64()), (&json!(7), true), "{error}");
    }
}
