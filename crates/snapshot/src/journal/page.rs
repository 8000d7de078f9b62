//! Pages of changes.

use appstitch_text::fold_case;
use appstitch_types::{AppChange, ChangeKind, RECORD_FIELDS, Squash};

use super::{ChangeRow, Journal};

/// The most changes that one page of squashed changes covers, which bounds the work of a request.
const MOST_SQUASHED: usize = 5_000;

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct ChangeFilter {
    /// Of apps of this vendor, ignoring case. An app that changes its vendor has both.
    pub vendor: Option<String>,
    /// Of the app with this slug. An app that is renamed has both.
    pub slug: Option<String>,
    pub kind: Option<ChangeKind>,
    pub field: Option<String>,
}

pub struct ChangePage<'a> {
    pub from: u64,
    /// The position up to which it is complete.
    pub next: u64,
    pub more: bool,
    pub rows: Vec<ChangeRow<'a>>,
}

pub struct SquashedPage {
    pub from: u64,
    /// The position up to which it is complete.
    pub next: u64,
    pub more: bool,
    /// Whether later changes cannot make the page cover more.
    pub is_final: bool,
    /// The revision of the last change that it covers, if there is one.
    pub revision: Option<String>,
    /// One change per app, ordered by the number of the app's last one.
    pub changes: Vec<AppChange>,
}

pub(super) struct CompiledFilter<'a> {
    folded_vendor: Option<String>,
    slug: Option<&'a str>,
    kind: Option<ChangeKind>,
    field: Option<usize>,
    /// A field that no record has: nothing matches.
    never: bool,
}

impl<'a> CompiledFilter<'a> {
    pub(super) fn new(filter: &'a ChangeFilter) -> Self {
        let number = |name: &String| RECORD_FIELDS.iter().position(|field| field == name);
        let field = filter.field.as_ref().map(number);
        Self {
            folded_vendor: filter.vendor.as_deref().map(fold_case),
            slug: filter.slug.as_deref(),
            kind: filter.kind,
            field: field.flatten(),
            never: field == Some(None),
        }
    }

    fn is_of_app(&self, row: ChangeRow<'_>) -> bool {
        let slug = |slug: &str| {
            row.slug() == slug || row.former_slug().is_some_and(|former| former == slug)
        };
        self.slug.is_none_or(slug)
            && self.folded_vendor.as_deref().is_none_or(|vendor| row.is_of_vendor(vendor))
    }

    /// What an app's changes must have, each at least one of them, before their net effect can match.
    fn conditions(&self, row: ChangeRow<'_>) -> [bool; 3] {
        let kind = match self.kind {
            // An app that is removed and added again counts as changed.
            Some(ChangeKind::Changed) => row.kind() != ChangeKind::Added,
            Some(kind) => row.kind() == kind,
            None => true,
        };
        let field = !self.never && self.field.is_none_or(|field| row.has_field(field));
        [self.is_of_app(row), kind, field]
    }

    pub(super) fn matches(&self, row: ChangeRow<'_>) -> bool {
        !self.never
            && self.kind.is_none_or(|kind| row.kind() == kind)
            && self.field.is_none_or(|field| row.has_field(field))
            && self.is_of_app(row)
    }
}

impl Journal {
    /// The changes after a position, oldest first.
    pub fn page(&self, after: u64, filter: &ChangeFilter, limit: usize) -> ChangePage<'_> {
        let compiled = CompiledFilter::new(filter);
        // One more than the page has, to know whether there are further ones.
        let take = limit.saturating_add(1);
        let mut rows: Vec<ChangeRow<'_>> = match &filter.slug {
            Some(slug) => {
                let rows = self.of_app(slug).filter(|row| row.seq() > after);
                rows.filter(|row| compiled.matches(*row)).take(take).collect()
            }
            None => self.after(after).filter(|row| compiled.matches(*row)).take(take).collect(),
        };
        let more = rows.len() > limit;
        rows.truncate(limit);
        let last = rows.last().map(|row| row.seq()).filter(|_| more);
        ChangePage { from: after, next: last.unwrap_or(self.newest()), more, rows }
    }

    /// The newest changes, oldest first.
    pub(crate) fn newest_page(&self, filter: &ChangeFilter, limit: usize) -> ChangePage<'_> {
        let compiled = CompiledFilter::new(filter);
        let matching = self.after(self.floor()).rev().filter(|row| compiled.matches(*row));
        let mut rows: Vec<ChangeRow<'_>> = matching.take(limit).collect();
        rows.reverse();
        let first = rows.first().filter(|_| rows.len() == limit);
        let from = first.map_or(self.floor(), |row| row.seq() - 1);
        ChangePage { from, next: self.newest(), more: false, rows }
    }

    /// The position after which the newest net changes begin. They fit into one page of work.
    pub(crate) fn newest_squashed(&self, filter: &ChangeFilter, limit: usize) -> u64 {
        let bound = self.after(self.floor()).rev().nth(MOST_SQUASHED - 1);
        let bound = bound.map_or(self.floor(), |row| row.seq() - 1);
        self.newest_page(filter, limit).from.max(bound)
    }

    /// The net changes after a position. The filter decides about apps and about their net change.
    ///
    /// The page covers as many changes as it can, because later ones may undo earlier ones.
    pub(crate) fn squashed_page(
        &self,
        after: u64,
        filter: &ChangeFilter,
        limit: usize,
    ) -> SquashedPage {
        let compiled = CompiledFilter::new(filter);
        let mut squash = Squash::default();
        let (mut count, mut covered) = (0, 0);
        for row in self.after(after).take(MOST_SQUASHED) {
            squash.push(row, compiled.conditions(row));
            count += 1;
            if squash.matching() <= limit {
                covered = count;
            }
        }
        if covered < count {
            squash = Squash::default();
            let rows = self.after(after).take(covered);
            rows.for_each(|row| squash.push(row, compiled.conditions(row)));
        }
        let mut changes = squash.finish();
        changes.retain(|change| {
            filter.kind.is_none_or(|kind| change.kind == kind)
                && filter.field.as_ref().is_none_or(|field| change.fields.contains_key(field))
        });
        let last = covered.checked_sub(1).and_then(|last| self.after(after).nth(last));
        let more = self.after(after).nth(covered).is_some();
        SquashedPage {
            from: after,
            next: last.filter(|_| more).map_or(self.newest(), ChangeRow::seq),
            more,
            is_final: more && count == MOST_SQUASHED,
            revision: last.map(|row| row.revision().to_owned()),
            changes,
        }
    }
}
