//! One change in a journal, and the changes of a segment.

use std::collections::BTreeMap;

use appstitch_types::{AppChange, ChangeKind, FieldChange, UnreadChange};
use jiff::Timestamp;

use super::segment::{RowIndex, Segment};

#[derive(Clone, Copy)]
pub struct ChangeRow<'a> {
    pub(super) segment: &'a Segment,
    pub(super) index: &'a RowIndex,
}

impl<'a> ChangeRow<'a> {
    pub fn seq(self) -> u64 {
        self.index.seq
    }

    pub fn at(self) -> Timestamp {
        self.index.at
    }

    pub fn kind(self) -> ChangeKind {
        self.index.kind
    }

    /// The change as it is sent: the JSON of an [`AppChange`].
    pub fn json(self) -> &'a str {
        self.segment.text(self.index.start, self.index.end)
    }

    pub fn slug(self) -> &'a str {
        self.segment.text(self.index.slug.0, self.index.slug.1)
    }

    pub fn revision(self) -> &'a str {
        self.segment.text(self.index.revision.0, self.index.revision.1)
    }

    pub fn former_slug(self) -> Option<&'a str> {
        self.segment.former_slug(self.index)
    }

    /// Whether the app is or was of a vendor, which is given in lower case.
    pub fn is_of_vendor(self, folded: &str) -> bool {
        let vendors = [self.index.vendor, self.index.former_vendor];
        vendors.into_iter().any(|vendor| self.segment.vendor(vendor) == Some(folded))
    }

    /// Whether a field changed; `number` is its position in [`appstitch_types::RECORD_FIELDS`].
    pub fn has_field(self, number: usize) -> bool {
        u32::try_from(number).is_ok_and(|number| {
            1_u16.checked_shl(number).is_some_and(|bit| self.index.fields & bit != 0)
        })
    }

    /// The changed fields. This crate wrote them, so they can always be parsed.
    pub fn fields(self) -> BTreeMap<String, FieldChange> {
        let fields = self.segment.text(self.index.fields_start, self.index.end - 1);
        serde_json::from_str(fields).unwrap_or_default()
    }

    pub fn change(self) -> AppChange {
        AppChange {
            seq: self.seq(),
            at: self.at(),
            revision: self.revision().to_owned(),
            slug: self.slug().to_owned(),
            kind: self.kind(),
            fields: self.fields(),
        }
    }
}

impl UnreadChange for ChangeRow<'_> {
    fn slug(&self) -> &str {
        ChangeRow::slug(*self)
    }

    fn former_slug(&self) -> Option<&str> {
        ChangeRow::former_slug(*self)
    }

    fn kind(&self) -> ChangeKind {
        ChangeRow::kind(*self)
    }

    fn read(&self) -> AppChange {
        self.change()
    }
}

impl Segment {
    pub(super) fn rows(&self) -> impl DoubleEndedIterator<Item = ChangeRow<'_>> {
        self.rows.iter().map(|index| ChangeRow { segment: self, index })
    }

    pub(super) fn after(&self, seq: u64) -> impl DoubleEndedIterator<Item = ChangeRow<'_>> {
        let first = self.rows.partition_point(|row| row.seq <= seq);
        self.rows[first..].iter().map(|index| ChangeRow { segment: self, index })
    }

    pub(super) fn of_app(&self, slug: &str) -> std::vec::IntoIter<ChangeRow<'_>> {
        let slug_of = |number: &u32| {
            let (start, end) = self.rows[*number as usize].slug;
            self.text(start, end)
        };
        let first = self.by_slug.partition_point(|number| slug_of(number) < slug);
        let current = self.by_slug[first..].iter().take_while(|number| slug_of(number) == slug);
        let former = self.renamed.iter().filter(|(_, former)| **former == *slug);
        let mut numbers: Vec<u32> =
            current.copied().chain(former.map(|(number, _)| *number)).collect();
        numbers.sort_unstable();
        let rows = numbers.into_iter().map(|number| &self.rows[number as usize]);
        rows.map(|index| ChangeRow { segment: self, index }).collect::<Vec<_>>().into_iter()
    }
}
