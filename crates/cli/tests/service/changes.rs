//! The journal of changes: it tells exactly what happened to the records.

mod journal;
mod pages;
mod real;
mod replay;

pub(crate) use replay::check_replay;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{TestServer, app, ndjson};

/// A record with a version and a vendor.
fn versioned(slug: &str, version: Option<&str>) -> Value {
    let mut app = app(slug);
    app["current_version"] = json!(version);
    app["vendor"] = json!("Acme");
    json!({"app": app, "sources": null})
}

/// Replaces all records.
async fn put(server: &TestServer, records: &[Value]) {
    let request = server.admin(Method::PUT, "/admin/records?allow_shrink=true");
    let answer = server.send(request.body(ndjson(records))).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

/// The changes of a request as kind and slug.
async fn told(server: &TestServer, query: &str) -> Vec<(String, String)> {
    let page = server.get(&format!("/changes?{query}")).await;
    assert_eq!(page.status, 200, "{page:?}");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let changes = page.json()["changes"].as_array().unwrap().clone();
    changes.iter().map(|change| (text(&change["kind"]), text(&change["slug"]))).collect()
}

fn expected(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(kind, slug)| ((*kind).to_owned(), (*slug).to_owned())).collect()
}
