//! One sentence about a change.

use appstitch_types::{ChangeKind, FieldChange};
use appstitch_versions::is_lower_version;
use serde_json::Value;

use crate::{described, line::line, named_change::NamedChange};

pub(crate) const NAME_BYTES: usize = 120;

pub(crate) const VERSION_BYTES: usize = 60;

/// How many fields a title lists by name.
const LISTED_FIELDS: usize = 3;

impl NamedChange<'_> {
    /// The name on one line of limited length.
    pub(crate) fn short_name(&self) -> String {
        let name = line(&self.name, NAME_BYTES);
        if name.is_empty() { line(&self.change.slug, NAME_BYTES) } else { name }
    }

    /// One sentence, such as `Firefox 153.0.3 → 154.0`.
    pub fn title(&self) -> String {
        let name = self.short_name();
        let version = self.change.fields.get("current_version");
        match self.change.kind {
            ChangeKind::Added => {
                let version = version.and_then(|version| short(&version.to));
                version.map_or(format!("{name} added"), |version| format!("{name} {version} added"))
            }
            ChangeKind::Removed => format!("{name} removed"),
            ChangeKind::Renamed => {
                let slug = self.change.fields.get("slug").and_then(|slug| short(&slug.from));
                let (new, old) = (line(&self.change.slug, NAME_BYTES), slug.unwrap_or_default());
                format!("{name}: {old} is now {new}")
            }
            ChangeKind::Changed => {
                version.map_or_else(|| self.other_fields(&name), |version| moved(&name, version))
            }
        }
    }

    /// The title of a change that leaves the version alone.
    fn other_fields(&self, name: &str) -> String {
        let fields = &self.change.fields;
        let renamed = fields.get("name").and_then(|name| short(&name.from));
        if let (Some(old), 1) = (renamed, fields.len()) {
            return format!("{old} is now called {name}");
        }
        let nouns: Vec<String> =
            fields.keys().map(|field| line(described::noun(field), NAME_BYTES)).collect();
        match nouns.as_slice() {
            [] => format!("{name} changed"),
            [one] => format!("{name}: {one} changed"),
            [first @ .., last] if nouns.len() <= LISTED_FIELDS => {
                format!("{name}: {} and {last} changed", first.join(", "))
            }
            _ => format!("{name}: {} fields changed", nouns.len()),
        }
    }
}

fn moved(name: &str, version: &FieldChange) -> String {
    match (short(&version.from), short(&version.to)) {
        (Some(old), Some(new)) => {
            let is_lower = match (&version.from, &version.to) {
                (Value::String(old), Value::String(new)) => is_lower_version(new, old),
                _ => false,
            };
            if is_lower {
                format!("{name} back to {new} from {old}")
            } else {
                format!("{name} {old} → {new}")
            }
        }
        (None, Some(new)) => format!("{name}: version is now {new}"),
        (Some(old), None) => format!("{name}: version {old} is no longer known"),
        (None, None) => format!("{name}: version changed"),
    }
}

fn short(value: &Value) -> Option<String> {
    described::value(value, VERSION_BYTES)
}

#[cfg(test)]
mod tests {
    use appstitch_types::AppChange;
    use serde_json::{Value, json};

    use super::*;

    fn title(kind: &str, fields: Value) -> String {
        let change: AppChange = serde_json::from_value(json!({
            "seq": 1, "at": "2026-08-22T19:31:04Z", "revision": "r", "slug": "firefox",
            "kind": kind, "fields": fields,
        }))
        .unwrap();
        NamedChange::new(&change, Some("Firefox")).title()
    }

    fn version(from: Value, to: Value) -> Value {
        json!({"current_version": {"from": from, "to": to}, "sha256": {"from": "a", "to": "b"}})
    }

    #[test]
    fn versions_go_up_back_come_and_go() {
        let title = |from, to| title("changed", version(from, to));
        assert_eq!(title(json!("153.0.3"), json!("154.0")), "Firefox 153.0.3 → 154.0");
        assert_eq!(title(json!("154.0"), json!("153.0.3")), "Firefox back to 153.0.3 from 154.0");
        assert_eq!(title(json!("9.0"), json!("10.0")), "Firefox 9.0 → 10.0");
        // Without a known order nobody can say "back".
        assert_eq!(title(json!("2026-03-05"), json!("1.2")), "Firefox 2026-03-05 → 1.2");
        assert_eq!(title(Value::Null, json!("1.0")), "Firefox: version is now 1.0");
        assert_eq!(title(json!("1.0"), Value::Null), "Firefox: version 1.0 is no longer known");
    }

    #[test]
    fn apps_are_added_removed_and_renamed() {
        let fields = json!({"name": {"from": null, "to": "Firefox ESR"},
            "current_version": {"from": null, "to": "154.0"}});
        assert_eq!(title("added", fields), "Firefox ESR 154.0 added");
        assert_eq!(title("added", json!({})), "Firefox added");
        let fields = json!({"name": {"from": "Old Fox", "to": null}});
        assert_eq!(title("removed", fields), "Old Fox removed");
        let fields = json!({"slug": {"from": "fire-fox", "to": "firefox"}});
        assert_eq!(title("renamed", fields), "Firefox: fire-fox is now firefox");
    }

    #[test]
    fn other_fields_are_listed() {
        let field = |names: &[&str]| {
            let fields = names.iter().map(|name| ((*name).to_owned(), json!({"from": 1, "to": 2})));
            title("changed", Value::Object(fields.collect()))
        };
        assert_eq!(field(&["sha256"]), "Firefox: SHA-256 changed");
        assert_eq!(field(&["sha256", "vendor"]), "Firefox: SHA-256 and vendor changed");
        assert_eq!(
            field(&["download_url", "sha256", "vendor"]),
            "Firefox: download URL, SHA-256 and vendor changed"
        );
        assert_eq!(field(&["a", "b", "c", "d"]), "Firefox: 4 fields changed");
        let name = json!({"name": {"from": "Old", "to": "New"}});
        assert_eq!(title("changed", name), "Old is now called New");
    }
}
