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
    /// How many of the entries are told.
    told: usize,
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

    /// The number of apps so far that are told: those that are wanted and whose changes were not
    /// undone.
    #[must_use]
    pub fn told(&self) -> usize {
        self.told
    }

    /// Adds the next change. An app is wanted, and told, only if each condition is met by at least one
    /// of its changes.
    pub fn push(&mut self, mut change: AppChange, conditions: [bool; 3]) {
        let fields = std::mem::take(&mut change.fields);
        let before = match fields.get("slug").map(|slug| &slug.from) {
            Some(Value::String(former)) => former.clone(),
            _ => change.slug.clone(),
        };
        let after = change.slug.clone();
        let Some(position) = self.by_slug.remove(&before) else {
            self.by_slug.insert(after, self.entries.len());
            let was_there = change.kind != ChangeKind::Added;
            let net = Net { last: change, was_there, fields, met: conditions };
            self.told += usize::from(net.is_told());
            self.entries.push(net);
            return;
        };
        let net = &mut self.entries[position];
        self.told -= usize::from(net.is_told());
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
        self.told += usize::from(net.is_told());
        self.by_slug.insert(after, position);
    }

    /// The net changes, ordered by the number of each app's last change.
    #[must_use]
    pub fn finish(self) -> Vec<AppChange> {
        let told = self.entries.into_iter().filter(Net::is_told);
        let mut changes: Vec<AppChange> = told.map(Net::finish).collect();
        changes.sort_by_key(|change| change.seq);
        changes
    }
}

impl Net {
    /// Whether the app is wanted and its changes were not undone.
    fn is_told(&self) -> bool {
        let is_undone = match (self.was_there, self.is_there()) {
            (false, is_there) => !is_there,
            (true, false) => false,
            (true, true) => self.fields.values().all(|values| values.from == values.to),
        };
        self.met == [true; 3] && !is_undone
    }

    fn is_there(&self) -> bool {
        self.last.kind != ChangeKind::Removed
    }

    fn finish(self) -> AppChange {
        let is_there = self.is_there();
        let Self { mut last, was_there, mut fields, .. } = self;
        fields.retain(|_, values| values.from != values.to);
        last.kind = match (was_there, is_there) {
            (false, _) => ChangeKind::Added,
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
        last
    }
}

fn either(left: [bool; 3], right: [bool; 3]) -> [bool; 3] {
    std::array::from_fn(|number| left[number] || right[number])
}
