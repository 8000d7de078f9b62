//! Several changes of an app as one.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::{AppChange, ChangeKind, FieldChange};

/// Collects changes in the order of their numbers and tells their net effect: one change per app, from
/// the first value to the last. What was undone disappears.
#[derive(Debug, Default)]
pub struct Squash {
    /// The entry of each slug, as of the last change.
    by_slug: HashMap<String, usize>,
    entries: Vec<Net>,
    /// How many of the entries are wanted.
    wanted: usize,
}

/// The changes of one app so far.
#[derive(Debug)]
struct Net {
    last: AppChange,
    /// Whether the app was there before the first change.
    was_there: bool,
    fields: BTreeMap<String, FieldChange>,
    /// Which conditions at least one of the changes meets.
    met: [bool; 3],
}

impl Squash {
    /// The number of apps so far, counting those whose changes were undone.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no changes yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of apps so far that are wanted, counting those whose changes were undone.
    #[must_use]
    pub fn wanted(&self) -> usize {
        self.wanted
    }

    /// Whether one more app would be wanted with a change that meets these conditions.
    #[must_use]
    pub fn would_add(&self, change: &AppChange, conditions: [bool; 3]) -> bool {
        match self.by_slug.get(slug_before(change)).map(|position| self.entries[*position].met) {
            Some(met) => !is_wanted(met) && is_wanted(either(met, conditions)),
            None => is_wanted(conditions),
        }
    }

    /// Adds the next change. An app is wanted, and told, only if each condition is met by at least one
    /// of its changes.
    pub fn push(&mut self, mut change: AppChange, conditions: [bool; 3]) {
        self.wanted += usize::from(self.would_add(&change, conditions));
        let fields = std::mem::take(&mut change.fields);
        let before = match fields.get("slug").map(|slug| &slug.from) {
            Some(Value::String(former)) => former.clone(),
            _ => change.slug.clone(),
        };
        let after = change.slug.clone();
        let Some(position) = self.by_slug.remove(&before) else {
            self.by_slug.insert(after, self.entries.len());
            let was_there = change.kind != ChangeKind::Added;
            self.entries.push(Net { last: change, was_there, fields, met: conditions });
            return;
        };
        let net = &mut self.entries[position];
        for (name, values) in fields {
            match net.fields.get_mut(&name) {
                Some(earlier) => earlier.to = values.to,
                None => {
                    net.fields.insert(name, values);
                }
            }
        }
        net.last = change;
        net.met = either(net.met, conditions);
        self.by_slug.insert(after, position);
    }

    /// The net changes, ordered by the number of each app's last change.
    #[must_use]
    pub fn finish(self) -> Vec<AppChange> {
        let wanted = self.entries.into_iter().filter(|net| is_wanted(net.met));
        let mut changes: Vec<AppChange> = wanted.filter_map(Net::finish).collect();
        changes.sort_by_key(|change| change.seq);
        changes
    }
}

impl Net {
    fn finish(self) -> Option<AppChange> {
        let Self { mut last, was_there, mut fields, .. } = self;
        fields.retain(|_, values| values.from != values.to);
        let is_there = last.kind != ChangeKind::Removed;
        last.kind = match (was_there, is_there) {
            (false, false) => return None,
            (true, true) if fields.is_empty() => return None,
            (false, true) => ChangeKind::Added,
            (true, false) => ChangeKind::Removed,
            (true, true) if fields.contains_key("slug") => ChangeKind::Renamed,
            (true, true) => ChangeKind::Changed,
        };
        if last.kind == ChangeKind::Removed
            && let Some(Value::String(known)) = fields.get("slug").map(|slug| &slug.from)
        {
            // Whoever applies the squashed changes never saw a slug that came later.
            last.slug.clone_from(known);
        }
        last.fields = fields;
        Some(last)
    }
}

fn is_wanted(met: [bool; 3]) -> bool {
    met == [true; 3]
}

fn either(left: [bool; 3], right: [bool; 3]) -> [bool; 3] {
    std::array::from_fn(|number| left[number] || right[number])
}

/// The slug of the app before a change.
fn slug_before(change: &AppChange) -> &str {
    let former = change.fields.get("slug").and_then(|slug| slug.from.as_str());
    former.unwrap_or(&change.slug)
}
