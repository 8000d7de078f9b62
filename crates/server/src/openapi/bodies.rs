//! Example bodies that are not the JSON of a schema: feeds, a table, lines.
//!
//! The code that writes the real bodies writes them from the examples of the schemas, so that they
//! are what the service would send.

use appstitch_feeds::{Entry, Feed, FeedFormat, Links, NamedChange};
use appstitch_inventory::csv;
use appstitch_snapshot::{ArchivePart, FeedRequest, FeedScope};
use appstitch_types::{AppChange, DriftEvent, inventory::InventoryReport};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

const PUBLIC_URL: &str = "https://apps.example";

const EPOCH: &str = "3f9a2c71";

/// The day of the example of a change, and the day before.
const DAYS: [&str; 2] = ["2026-11-15", "2026-11-14"];

/// The body of an operation in a media type; `None` if it is that of its schema.
pub(super) fn of(
    operation: &str,
    media_type: &str,
    examples: &Map<String, Value>,
) -> Option<Value> {
    match media_type {
        "application/atom+xml" => feed(operation, FeedFormat::Atom, examples).map(Value::String),
        "application/feed+json" => {
            serde_json::from_str(&feed(operation, FeedFormat::Json, examples)?).ok()
        }
        "text/csv" => {
            let report: InventoryReport = read("InventoryReport", examples)?;
            let mut table = csv::HEADER.as_bytes().to_vec();
            report.apps.iter().for_each(|app| csv::write_row(&mut table, app));
            String::from_utf8(table).ok().map(Value::String)
        }
        "application/x-ndjson" => {
            let report: InventoryReport = read("InventoryReport", examples)?;
            let lines = report.apps.iter().map(|app| serde_json::to_string(app).ok());
            let lines: Vec<String> = lines.collect::<Option<_>>()?;
            Some(Value::String(lines.join("\n") + "\n"))
        }
        _ => None,
    }
}

/// The example of a schema as the type that it is of.
fn read<T: DeserializeOwned>(name: &str, examples: &Map<String, Value>) -> Option<T> {
    serde_json::from_value(examples.get(name)?.clone()).ok()
}

fn feed(operation: &str, format: FeedFormat, examples: &Map<String, Value>) -> Option<String> {
    let change: AppChange = read("AppChange", examples)?;
    let app: appstitch_types::App = read("App", examples)?;
    let [today, yesterday] = DAYS.map(ArchivePart::read);
    let archive = |part| FeedRequest { scope: FeedScope::Archive(part), format, all: false }.path();
    let whole = FeedRequest { scope: FeedScope::Everything, format, all: false };
    let catalog = || "App catalog".to_owned();
    let (scope, title) = match operation {
        "get_feed_atom" | "get_feed_json" => (FeedScope::Everything, catalog()),
        "get_feed_archive" => (FeedScope::Archive(today?), catalog()),
        "get_drift_feed_atom" | "get_drift_feed_json" => (FeedScope::Drift, catalog()),
        "get_vendor_feed_atom" | "get_vendor_feed_json" => {
            (FeedScope::Vendor("mozilla".to_owned()), app.vendor?)
        }
        "get_app_feed_atom" | "get_app_feed_json" => {
            (FeedScope::App(change.slug.clone()), app.name.clone())
        }
        _ => return None,
    };
    let entry = if scope == FeedScope::Drift {
        Entry::of_drift(&drift_event(&change, examples)?, EPOCH)
    } else {
        let entry = Entry::of_change(&NamedChange::new(&change, Some(&app.name)), EPOCH);
        match format {
            FeedFormat::Atom => entry,
            FeedFormat::Json => entry.with_data(&serde_json::to_string(&change).ok()?),
        }
    };
    let is_archive = matches!(scope, FeedScope::Archive(_));
    let has_archives = format == FeedFormat::Atom && (is_archive || scope == whole.scope);
    let about = scope.page_path();
    let request = FeedRequest { scope, format, all: false };
    let feed = Feed {
        title: request.title(&title),
        name: request.name(),
        epoch: EPOCH.to_owned(),
        path: request.path(),
        about,
        updated: entry.at(),
        entries: vec![entry],
        current: is_archive.then(|| whole.path()),
        previous_archive: yesterday.filter(|_| has_archives).map(archive),
    };
    Some(feed.text(format, &Links::new(PUBLIC_URL).ok()?))
}

fn drift_event(change: &AppChange, examples: &Map<String, Value>) -> Option<DriftEvent> {
    let entry = examples.get("DriftEntry")?;
    let event = serde_json::json!({
        "seq": change.seq + 1, "at": change.at, "revision": change.revision, "slug": entry["slug"],
        "name": entry["name"], "vendor": entry["vendor"], "kind": "started",
        "source": entry["laggard"], "versions": entry["versions"],
    });
    serde_json::from_value(event).ok()
}
