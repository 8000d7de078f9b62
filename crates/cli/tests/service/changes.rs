//! The journal of changes: it tells exactly what happened to the records.

mod journal;
mod pages;
mod real;
mod replay;

pub(crate) use replay::check_replay;

use serde_json::{Value, json};

use crate::support::{TestServer, app};

fn versioned(slug: &str, version: Option<&str>) -> Value {
    let mut app = app(slug);
    app["current_version"] = json!(version);
    app["vendor"] = json!("Acme");
    json!({"app": app, "sources": null})
}

/// The changes of a request as kind and slug.
async fn listed(server: &TestServer, query: &str) -> Vec<(String, String)> {
    let page = server.get(&format!("/changes?{query}")).await;
    assert_eq!(page.status, 200, "{page:?}");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let changes = page.json()["changes"].as_array().unwrap().clone();
    changes.iter().map(|change| (text(&change["kind"]), text(&change["slug"]))).collect()
}

fn expected(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(kind, slug)| ((*kind).to_owned(), (*slug).to_owned())).collect()
}
