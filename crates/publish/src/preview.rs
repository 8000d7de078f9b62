//! What a change would do to the served catalog.

use std::collections::BTreeMap;

use appstitch_types::{ChangeKind, FieldChange};

use crate::plan::Plan;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChangePreview {
    pub added: usize,
    pub updated: usize,
    pub removed: usize,
    /// The apps whose newest version would be another one, in the order of the journal. Without an
    /// earlier catalog there are none.
    pub moved: Vec<MovedVersion>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedVersion {
    pub slug: String,
    pub from: Option<String>,
    pub to: Option<String>,
}

impl ChangePreview {
    pub(crate) fn of(plan: Plan) -> Self {
        let Some(next) = plan.next else { return Self::default() };
        let changes = plan.change.journal.into_iter().flat_map(|journal| journal.changes);
        let stay = [ChangeKind::Changed, ChangeKind::Renamed].map(ChangeKind::word);
        let moved = changes.filter(|change| stay.contains(&change.kind.as_str()));
        let moved = moved.filter_map(|change| {
            let mut fields: BTreeMap<String, FieldChange> =
                serde_json::from_str(&change.fields).unwrap_or_default();
            let FieldChange { from, to } = fields.remove("current_version")?;
            let text = |value: serde_json::Value| value.as_str().map(str::to_owned);
            Some(MovedVersion { slug: change.slug, from: text(from), to: text(to) })
        });
        Self {
            added: next.difference.added,
            updated: next.difference.updated,
            removed: next.difference.removed,
            moved: moved.collect(),
        }
    }
}
