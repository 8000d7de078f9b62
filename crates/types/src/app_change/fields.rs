//! The difference between two served records, and its use on a copy of the catalog.
//!
//! Values are compared, not bytes: the order of the keys, blanks, and a null that another version of
//! the program leaves out are no change.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{AppChange, ChangeKind, FieldChange};

/// A served record as JSON.
pub type RecordFields = Map<String, Value>;

/// The fields that differ between two states of an app; `None` if the app was not there.
pub fn changed_fields(
    before: Option<&RecordFields>,
    after: Option<&RecordFields>,
) -> BTreeMap<String, FieldChange> {
    let value = |record: Option<&RecordFields>, name: &str| {
        record.and_then(|record| record.get(name)).cloned().unwrap_or(Value::Null)
    };
    let names = before.into_iter().chain(after).flat_map(Map::keys);
    let changes = names.map(|name| {
        (name.clone(), FieldChange { from: value(before, name), to: value(after, name) })
    });
    changes.filter(|(_, change)| change.from != change.to).collect()
}

/// Applies a change to a copy of the catalog, by slug. Changes have to be applied in the order of their
/// numbers.
pub fn apply_change(apps: &mut BTreeMap<String, RecordFields>, change: &AppChange) {
    let record = apps.remove(former_slug(change)).unwrap_or_default();
    put(apps, record, change);
}

/// Applies one page of squashed changes to a copy of the catalog. They count as one step: an app may
/// get the slug that another one gives up.
pub fn apply_squashed(apps: &mut BTreeMap<String, RecordFields>, changes: &[AppChange]) {
    let removed: Vec<RecordFields> = changes
        .iter()
        .map(|change| match change.kind {
            ChangeKind::Added => RecordFields::default(),
            _ => apps.remove(former_slug(change)).unwrap_or_default(),
        })
        .collect();
    for (record, change) in removed.into_iter().zip(changes) {
        put(apps, record, change);
    }
}

/// The slug of the app before the change.
fn former_slug(change: &AppChange) -> &str {
    let former = change.fields.get("slug").and_then(|slug| slug.from.as_str());
    former.unwrap_or(&change.slug)
}

fn put(apps: &mut BTreeMap<String, RecordFields>, mut record: RecordFields, change: &AppChange) {
    if change.kind == ChangeKind::Removed {
        return;
    }
    for (name, values) in &change.fields {
        record.insert(name.clone(), values.to.clone());
    }
    apps.insert(change.slug.clone(), record);
}
