//! Test records.

use serde_json::{Value, json};

pub(crate) fn app(slug: &str) -> Value {
    json!({"slug": slug, "name": slug.to_uppercase(), "sources": []})
}

/// A record without source detail.
pub(crate) fn record(slug: &str) -> Value {
    json!({"app": app(slug), "sources": null})
}

/// A record whose label and cask state these versions.
pub(crate) fn label_and_cask(slug: &str, vendor: Option<&str>, label: &str, cask: &str) -> Value {
    let mut app = app(slug);
    app["vendor"] = json!(vendor);
    app["sources"] = json!(["label_tool", "cask_catalog"]);
    json!({"app": app, "sources": {
        "label_tool": {"label_name": slug, "label_url": "https://example.com/label.sh",
                       "raw": {"name": slug, "appNewVersion": label}},
        "cask_catalog": {"token": slug, "entry_json": {"version": cask}},
    }})
}

pub(crate) fn ndjson(records: &[Value]) -> String {
    let lines: Vec<String> = records.iter().map(Value::to_string).collect();
    lines.join("\n")
}
