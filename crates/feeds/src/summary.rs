//! The changed fields of a change, one per line.

use appstitch_types::ChangeKind;
use serde_json::Value;

use crate::{described, line::line, named_change::NamedChange};

/// The most bytes of a value; the interface has it in full.
const VALUE_BYTES: usize = 300;

/// The most fields that are listed. A record has fewer.
const LISTED_FIELDS: usize = 24;

impl NamedChange<'_> {
    /// Every changed field with its old and new value, one per line.
    pub(crate) fn summary(&self) -> String {
        let fields = self.change.fields.iter().take(LISTED_FIELDS);
        let lines = fields.filter_map(|(name, field)| {
            let noun = capitalized(&line(described::noun(name), VALUE_BYTES));
            let (from, to) = (short(&field.from), short(&field.to));
            match (self.change.kind, from, to) {
                (ChangeKind::Added, _, to) => to.map(|to| format!("{noun}: {to}")),
                (ChangeKind::Removed, from, _) => from.map(|from| format!("{noun}: {from}")),
                (_, Some(from), Some(to)) => Some(format!("{noun}: {from} → {to}")),
                (_, None, Some(to)) => Some(format!("{noun}: none → {to}")),
                (_, Some(from), None) => Some(format!("{noun}: {from} → none")),
                (_, None, None) => None,
            }
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

fn short(value: &Value) -> Option<String> {
    described::value(value, VALUE_BYTES)
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}
