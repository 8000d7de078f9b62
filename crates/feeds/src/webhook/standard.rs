//! The body of Standard Webhooks: `{"type", "timestamp", "data"}`.

use appstitch_types::AppChange;
use jiff::Timestamp;
use serde::Serialize;

use super::event::{CatalogChanged, LONGEST_BODY, LONGEST_LIST, WHOLE_CATALOG, WebhookEvent};
use crate::{line::line, links::Links};

/// Everything but the changes, generously.
const ENVELOPE: usize = 2500;

#[derive(Serialize)]
struct Body<D> {
    #[serde(rename = "type")]
    kind: &'static str,
    timestamp: Timestamp,
    data: D,
}

#[derive(Serialize)]
struct ChangedData<'a> {
    revision: &'a str,
    to: &'a str,
    count: usize,
    changes: Vec<ListedChange<'a>>,
    more_url: Option<String>,
}

#[derive(Serialize)]
struct ListedChange<'a> {
    title: String,
    #[serde(flatten)]
    change: &'a AppChange,
}

#[derive(Serialize)]
struct ResetData<'a> {
    revision: &'a str,
    to: &'a str,
    reset: bool,
    snapshot_url: String,
}

#[derive(Serialize)]
struct TestData {
    hook: String,
}

pub(super) fn body(event: &WebhookEvent<'_>, links: &Links) -> String {
    let kind = event.kind();
    match event {
        WebhookEvent::Changed(changed) => {
            written(&Body { kind, timestamp: changed.at, data: data(changed, links) })
        }
        WebhookEvent::Reset { at, revision, to } => {
            let snapshot_url = links.reference(WHOLE_CATALOG);
            let data = ResetData { revision, to, reset: true, snapshot_url };
            written(&Body { kind, timestamp: *at, data })
        }
        WebhookEvent::Test { at, hook } => {
            let data = TestData { hook: line(hook, 200) };
            written(&Body { kind, timestamp: *at, data })
        }
    }
}

fn data<'a>(changed: &'a CatalogChanged<'_>, links: &Links) -> ChangedData<'a> {
    let mut left = LONGEST_BODY - ENVELOPE;
    let mut changes = Vec::new();
    for named in changed.changes.iter().take(LONGEST_LIST) {
        let listed = ListedChange { title: named.title(), change: named.change };
        // A change that does not fit ends the list: `more_url` continues with it.
        let length = written(&listed).len() + 1;
        if length > left {
            break;
        }
        left -= length;
        changes.push(listed);
    }
    let more_url = changed.more(changes.len(), links);
    let (revision, to) = (changed.revision, changed.to);
    ChangedData { revision, to, count: changed.count, changes, more_url }
}

/// Plain data with text keys can always be written.
fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
