//! The fields of a record, as a person reads them.

use serde_json::Value;

use crate::line::line;

/// What a field is called in the middle of a sentence; its own name if it is unknown.
pub(crate) fn noun(field: &str) -> &str {
    match field {
        "slug" => "slug",
        "bundle_id" => "bundle identifier",
        "name" => "name",
        "vendor" => "vendor",
        "current_version" => "version",
        "latest_release_date" => "release date",
        "download_url" => "download URL",
        "install_method" => "install method",
        "expected_team_id" => "Team ID",
        "sha256" => "SHA-256",
        "sources" => "sources",
        other => other,
    }
}

/// The most items of a list that are written.
const LONGEST_LIST: usize = 20;

/// A value on one line, cut to about this many bytes; `None` if it is null or shows nothing.
pub(crate) fn value(value: &Value, bytes: usize) -> Option<String> {
    let text = match value {
        Value::Null => return None,
        Value::String(text) => line(text, bytes),
        Value::Array(items) => {
            let items = items.iter().take(LONGEST_LIST).map(|item| match item {
                Value::String(text) => line(text, bytes),
                other => line(&other.to_string(), bytes),
            });
            line(&items.collect::<Vec<_>>().join(", "), bytes)
        }
        other => line(&other.to_string(), bytes),
    };
    (!text.is_empty()).then_some(text)
}
