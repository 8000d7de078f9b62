//! Webhooks of the running program. How deliveries are repeated is tested in `crates/hooks`, where the
//! tests set the clock.

mod commands;
mod crashes;
mod managing;
#[expect(dead_code, reason = "the tests of the deliveries use the rest")]
#[path = "../../../hooks/tests/delivering/receiver.rs"]
mod receiver;
mod restoring;
mod signatures;

use std::path::Path;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Response, TOKEN, TestServer, eventually, ndjson};
use receiver::Receiver;

/// A server that may call this machine.
fn server(store: &Path) -> TestServer {
    TestServer::start(store, &["--no-sample", "--allow-private-hooks"], |command| {
        command.env("APPSTITCH_DEPLOY_TOKEN", TOKEN);
    })
}

/// Sends a request about hooks.
async fn ask(server: &TestServer, method: Method, path: &str, body: Option<Value>) -> Response {
    let mut request = server.admin(method, &format!("/admin/hooks{path}"));
    if let Some(body) = body {
        request = request.body(body.to_string());
    }
    server.send(request).await
}

async fn put(server: &TestServer, id: &str, body: Value) -> Response {
    ask(server, Method::PUT, &format!("/{id}"), Some(body)).await
}

async fn add(server: &TestServer, id: &str, receiver: &Receiver) -> Value {
    let response = put(server, id, json!({"url": receiver.url()})).await;
    assert_eq!(response.status, 201, "{response:?}");
    response.json()
}

async fn get(server: &TestServer, id: &str) -> Value {
    ask(server, Method::GET, &format!("/{id}"), None).await.json()
}

async fn publish(server: &TestServer, apps: usize, version: &str) {
    let records: Vec<Value> = (0..apps)
        .map(|number| {
            let slug = format!("app{number}");
            let app =
                json!({"slug": slug, "name": slug, "current_version": version, "sources": []});
            json!({"app": app, "sources": null})
        })
        .collect();
    let response = server.upload(&ndjson(&records)).await;
    assert_eq!(response.status, 200, "{response:?}");
}

/// Waits until the changes up to a number are delivered.
async fn settled(server: &TestServer, id: &str, number: u64) {
    let end = format!("-{number}");
    let is_settled = async || get(server, id).await["cursor"].as_str().unwrap().ends_with(&end);
    eventually(&format!("{id} never reaches {number}"), is_settled).await;
}
