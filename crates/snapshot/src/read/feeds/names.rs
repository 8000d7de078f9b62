//! What apps were called when they changed.
//!
//! Most changes do not contain the app's name. Today's name would be wrong for old changes, and an
//! archive that shows it would change with it. So the names follow the journal back in time.

use std::collections::{BTreeMap, HashMap};

use appstitch_types::ChangeKind;
use serde_json::Value;

use super::NAME;
use crate::{
    journal::{ChangeRow, Journal},
    snapshot::Snapshot,
};

/// Names by slug, as of a point in the journal.
#[derive(Default)]
pub(super) struct Names<'a> {
    /// Where they differ from today's.
    former: HashMap<&'a str, String>,
}

impl<'a> Names<'a> {
    /// The app's name after a change, unless the change itself contains it.
    pub(super) fn after(&self, snapshot: &Snapshot, row: ChangeRow<'a>) -> String {
        self.name(snapshot, row.slug()).unwrap_or_else(|| row.slug().to_owned())
    }

    pub(super) fn go_back(&mut self, snapshot: &Snapshot, row: ChangeRow<'a>) {
        // It had no name before.
        if row.kind() == ChangeKind::Added {
            return;
        }
        let renames = row.former_slug().filter(|_| row.kind() == ChangeKind::Renamed);
        let changed = row.has_field(NAME).then(|| row.fields().remove("name")).flatten();
        let before = match changed.map(|name| name.from) {
            Some(Value::String(name)) => Some(name),
            Some(_) => None,
            None => renames.and_then(|_| self.name(snapshot, row.slug())),
        };
        if let Some(before) = before {
            self.former.insert(renames.unwrap_or(row.slug()), before);
        }
    }

    fn name(&self, snapshot: &Snapshot, slug: &str) -> Option<String> {
        if let Some(name) = self.former.get(slug) {
            return Some(name.clone());
        }
        snapshot.app_name(snapshot.find(slug).ok()?).ok()
    }
}

const MOST_RENAMES: usize = 16;

/// Every change of an app, newest first. If it was renamed, the later changes under its new slug are
/// there as well, marked with false: they contain its names.
pub(super) fn app_rows<'a>(journal: &'a Journal, slug: &'a str) -> Vec<(ChangeRow<'a>, bool)> {
    let mut rows = BTreeMap::new();
    let mut slugs = vec![(slug, 0)];
    for number in 0..MOST_RENAMES {
        let Some((slug, after)) = slugs.get(number).copied() else { break };
        for row in journal.of_app(slug).filter(|row| row.seq() > after) {
            rows.entry(row.seq()).or_insert((row, number == 0));
            if row.slug() != slug {
                slugs.push((row.slug(), row.seq()));
            }
        }
    }
    rows.into_values().rev().collect()
}
