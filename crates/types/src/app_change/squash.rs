//! Several changes of an app as one.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::{AppChange, ChangeKind, FieldChange};

/// A change that is known by name and read when its values are needed. Most apps change once in a while,
/// so most changes are never read.
pub trait UnreadChange {
    /// The slug of the app.
    fn slug(&self) -> &str;

    /// The slug before the app was renamed.
    fn former_slug(&self) -> Option<&str>;

    /// What happened.
    fn kind(&self) -> ChangeKind;

    /// The whole change.
    fn read(&self) -> AppChange;
}

impl UnreadChange for AppChange {
    fn slug(&self) -> &str {
        &self.slug
    }

    fn former_slug(&self) -> Option<&str> {
        match self.fields.get("slug").map(|slug| &slug.from) {
            Some(Value::String(former)) => Some(former),
            _ => None,
        }
    }

    fn kind(&self) -> ChangeKind {
        self.kind
    }

    fn read(&self) -> AppChange {
        self.clone()
    }
}

/// Collects changes in the order of their numbers and computes their net effect: one change per app, from
/// the first value to the last. What was undone disappears.
#[derive(Debug)]
pub struct Squash<Change = AppChange> {
    /// The entry of each slug, as of the last change.
    by_slug: HashMap<String, usize>,
    entries: Vec<Net<Change>>,
    /// How many of the entries match.
    matching: usize,
}

impl<Change> Default for Squash<Change> {
    fn default() -> Self {
        Self { by_slug: HashMap::new(), entries: Vec::new(), matching: 0 }
    }
}

/// The changes of one app so far.
#[derive(Debug)]
struct Net<Change> {
    changes: Changes<Change>,
    /// Whether the app was there before the first change.
    was_there: bool,
    /// Which conditions at least one of the changes meets.
    met: [bool; 3],
}

#[derive(Debug)]
enum Changes<Change> {
    One(Change),
    /// The last one, and the fields of all.
    Several(AppChange, BTreeMap<String, FieldChange>),
}

impl<Change: UnreadChange> Squash<Change> {
    /// The number of apps so far, counting those whose changes were undone.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no changes yet.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of apps so far that [`Self::finish`] returns: those that meet the conditions and
    /// whose changes were not undone.
    pub fn matching(&self) -> usize {
        self.matching
    }

    /// Adds the next change. An app matches only if each condition is met by at least one of its
    /// changes.
    pub fn push(&mut self, change: Change, conditions: [bool; 3]) {
        let before = change.former_slug().unwrap_or(change.slug());
        let known = self.by_slug.remove(before);
        let position = known.unwrap_or(self.entries.len());
        self.by_slug.insert(change.slug().to_owned(), position);
        if let Some(net) = self.entries.get_mut(position) {
            self.matching -= usize::from(net.matches());
            net.add(&change, conditions);
            self.matching += usize::from(net.matches());
        } else {
            let was_there = change.kind() != ChangeKind::Added;
            let net = Net { changes: Changes::One(change), was_there, met: conditions };
            self.matching += usize::from(net.matches());
            self.entries.push(net);
        }
    }

    /// The net changes, ordered by the number of each app's last change.
    pub fn finish(self) -> Vec<AppChange> {
        let matching = self.entries.into_iter().filter(Net::matches);
        let mut changes: Vec<AppChange> = matching.map(Net::finish).collect();
        changes.sort_by_key(|change| change.seq);
        changes
    }
}

impl<Change: UnreadChange> Net<Change> {
    fn add(&mut self, change: &Change, conditions: [bool; 3]) {
        let mut last = change.read();
        let later = std::mem::take(&mut last.fields);
        let mut fields = match &mut self.changes {
            Changes::One(first) => first.read().fields,
            Changes::Several(_, fields) => std::mem::take(fields),
        };
        for (name, values) in later {
            match fields.get_mut(&name) {
                Some(earlier) => earlier.to = values.to,
                None => {
                    fields.insert(name, values);
                }
            }
        }
        self.changes = Changes::Several(last, fields);
        self.met = either(self.met, conditions);
    }

    /// Whether the app is wanted and its changes were not undone.
    fn matches(&self) -> bool {
        self.met == [true; 3] && !self.is_undone()
    }

    fn is_undone(&self) -> bool {
        // One change alone undoes nothing.
        let Changes::Several(last, fields) = &self.changes else { return false };
        match (self.was_there, last.kind != ChangeKind::Removed) {
            (false, is_there) => !is_there,
            (true, false) => false,
            (true, true) => fields.values().all(|values| values.from == values.to),
        }
    }

    fn finish(self) -> AppChange {
        let (mut last, mut fields) = match self.changes {
            Changes::One(change) => {
                let mut change = change.read();
                let fields = std::mem::take(&mut change.fields);
                (change, fields)
            }
            Changes::Several(last, fields) => (last, fields),
        };
        fields.retain(|_, values| values.from != values.to);
        last.kind = match (self.was_there, last.kind != ChangeKind::Removed) {
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
