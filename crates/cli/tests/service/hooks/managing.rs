//! `/admin/hooks`: who may use it, what is allowed, and what is shown.

use reqwest::Method;
use serde_json::{Value, json};

use super::{add, ask, get, publish, put, receiver::Receiver, server};
use crate::support::{TOKEN, TestServer};

#[tokio::test]
async fn a_hook_is_created_shown_changed_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(&folder.path().join("catalog.db"));
    let mut receiver = Receiver::start();
    assert_eq!(ask(&server, Method::GET, "", None).await.text(), r#"{"hooks":[]}"#);
    let created = add(&server, "ops", &receiver).await;
    let secret = created["secret"].as_str().unwrap();
    assert!(secret.starts_with("whsec_"), "{created}");
    assert_eq!((&created["state"], &created["attempts"]), (&json!("enabled"), &json!(0)));
    let shown = ask(&server, Method::GET, "/ops", None).await;
    assert!(!shown.text().contains(secret) && !shown.text().contains("secret\""), "{shown:?}");

    let filter = json!({"kinds": ["added"], "vendors": ["Mozilla"]});
    let changed = put(&server, "ops", json!({"url": receiver.url(), "filter": filter})).await;
    assert_eq!(changed.status, 200);
    assert_eq!(changed.json()["filter"], filter);
    assert_eq!(changed.json().get("secret"), None, "it stays and is not shown");

    let test = ask(&server, Method::POST, "/ops/test", None).await;
    assert_eq!(test.status, 200, "{test:?}");
    assert_eq!(test.json()["delivered"], true, "{test:?}");
    let message = receiver.next().await;
    assert_eq!(message.kind(), "catalog.test");
    assert!(message.headers["user-agent"].starts_with("appstitch/"));
    let deliveries = ask(&server, Method::GET, "/ops/deliveries", None).await.json();
    assert_eq!(deliveries["deliveries"], json!([test.json()]));
    assert_eq!(test.json()["webhook_id"], message.id());

    let health = server.get("/health").await.json();
    let metrics = server.get("/metrics").await;
    assert_eq!(
        (&health["hooks_enabled"], &health["status"]),
        (&json!(1), &json!("ok")),
        "{health}"
    );
    let delivered = "appstitch_hook_deliveries_total{result=\"delivered\"} 1";
    assert!(metrics.text().contains(delivered), "{}", metrics.text());

    assert_eq!(ask(&server, Method::DELETE, "/ops", None).await.status, 204);
    for (method, path) in [
        (Method::GET, "/ops"),
        (Method::DELETE, "/ops"),
        (Method::POST, "/ops/test"),
        (Method::GET, "/ops/deliveries"),
        (Method::POST, "/ops/replay?since=0"),
        (Method::POST, "/ops/enable"),
    ] {
        let response = ask(&server, method, path, None).await;
        assert_eq!(response.status, 404, "{response:?}");
        assert_eq!(response.text(), r#"{"detail":"No hook is named 'ops'"}"#);
    }
}

#[tokio::test]
async fn only_holders_of_the_token_see_hooks() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(&folder.path().join("catalog.db"));
    let receiver = Receiver::start();
    add(&server, "ops", &receiver).await;
    for (method, path) in [
        (Method::GET, ""),
        (Method::GET, "/ops"),
        (Method::PUT, "/ops"),
        (Method::DELETE, "/ops"),
        (Method::POST, "/ops/test"),
        (Method::GET, "/ops/deliveries"),
        (Method::POST, "/ops/replay?since=0"),
        (Method::POST, "/ops/enable"),
    ] {
        let path = format!("/admin/hooks{path}");
        for token in [None, Some("wrong")] {
            let mut request = server.request(method.clone(), &path).body("{}");
            if let Some(token) = token {
                request = request.bearer_auth(token);
            }
            let response = server.send(request).await;
            assert_eq!(response.status, 401, "{method} {path}");
            assert!(!response.text().contains("127.0.0.1"), "{response:?}");
        }
    }
    assert_eq!(get(&server, "ops").await["id"], "ops");
    let off = folder.path().join("off.db");
    let off = TestServer::start(&off, &["--no-sample"], |_| {});
    let response = off.send(off.request(Method::GET, "/admin/hooks").bearer_auth(TOKEN)).await;
    assert_eq!(response.status, 503);
}

#[tokio::test]
async fn invalid_settings_are_rejected_without_their_values() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(&folder.path().join("catalog.db"));
    let url = "https://example.com/hook";
    let many: Vec<String> = (0..501).map(|number| number.to_string()).collect();
    for (id, body) in [
        ("ops", "not JSON"),
        ("ops", "{}"),
        ("ops", "[]"),
        ("ops", r#"{"url":5}"#),
        ("ops", r#"{"url":"sesame"}"#),
        ("ops", r#"{"url":"ftp://example.com/sesame"}"#),
        ("ops", r#"{"url":"https://user:sesame@example.com/"}"#),
        ("ops", r#"{"url":"https://example.com","secret":"sesame"}"#),
        ("ops", r#"{"url":"https://example.com","secret":"whsec_c2VzYW1l"}"#),
        ("ops", r#"{"url":"https://example.com","sesame":1}"#),
        ("ops", r#"{"url":"https://example.com","format":"sesame"}"#),
        ("ops", r#"{"url":"https://example.com","filter":{"kinds":["sesame"]}}"#),
        ("ops", r#"{"url":"https://example.com","filter":{"fields":["sesame"]}}"#),
        ("ops", &json!({"url": url, "filter": {"slugs": many}}).to_string()),
        ("UPPER", r#"{"url":"https://example.com"}"#),
        ("a%2Fb", r#"{"url":"https://example.com"}"#),
        ("%00", r#"{"url":"https://example.com"}"#),
    ] {
        let response = server.put(&format!("/admin/hooks/{id}"), body.to_owned()).await;
        assert_eq!(response.status, 422, "{id} {body}: {response:?}");
        assert!(!response.text().contains("sesame"), "{response:?}");
    }
    let huge = json!({"url": url, "filter": {"slugs": ["a".repeat(2 << 20)]}});
    assert_eq!(put(&server, "ops", huge).await.status, 413);
    assert_eq!(ask(&server, Method::GET, "", None).await.json()["hooks"], json!([]));
    assert_eq!(server.get("/health").await.status, 200);
}

#[tokio::test]
async fn the_number_of_hooks_is_limited() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(&folder.path().join("catalog.db"));
    for number in 0..50 {
        let hook =
            put(&server, &format!("h{number}"), json!({"url": "https://example.com/"})).await;
        assert_eq!(hook.status, 201);
    }
    let full = put(&server, "more", json!({"url": "https://example.com/"})).await;
    assert_eq!(full.status, 409, "{full:?}");
    let known = put(&server, "h7", json!({"url": "https://example.com/a"})).await;
    assert_eq!(known.status, 200);
}

#[tokio::test]
async fn private_addresses_and_http_need_permission() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::on_store(&folder.path().join("catalog.db"));
    let mut receiver = Receiver::start();
    for url in
        [receiver.url(), "https://169.254.169.254/".to_owned(), "http://example.com/".to_owned()]
    {
        let response = put(&server, "ops", json!({"url": url})).await;
        assert_eq!(response.status, 422, "{response:?}");
        assert!(response.text().contains("--allow-private-hooks"), "{response:?}");
    }
    let name = format!("https://localhost:{}/", receiver.port);
    assert_eq!(put(&server, "ops", json!({"url": name})).await.status, 201);
    let test = ask(&server, Method::POST, "/ops/test", None).await.json();
    assert_eq!((&test["delivered"], &test["status"]), (&json!(false), &Value::Null));
    assert!(test["error"].as_str().unwrap().contains("private"), "{test}");
    assert!(receiver.rest().is_empty());
}

#[tokio::test]
async fn a_replay_needs_a_point_that_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(&folder.path().join("catalog.db"));
    let mut receiver = Receiver::start();
    publish(&server, 2, "1").await;
    add(&server, "ops", &receiver).await;
    for (since, status) in [
        ("", 422),
        ("?since=", 422),
        ("?since=x", 422),
        ("?since=99", 422),
        ("?since=ffffffff-1", 410),
    ] {
        let response = ask(&server, Method::POST, &format!("/ops/replay{since}"), None).await;
        assert_eq!(response.status, status, "{since}: {response:?}");
    }
    let response = ask(&server, Method::POST, "/ops/replay?since=0", None).await;
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(receiver.next().await.numbers(), [1, 2]);
}
