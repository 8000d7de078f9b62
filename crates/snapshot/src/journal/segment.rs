//! A run of changes that never changes again.

use std::collections::HashMap;

use appstitch_store::JournalRevision;
use appstitch_types::ChangeKind;
use jiff::Timestamp;

/// No vendor.
pub(super) const NONE: u32 = u32::MAX;

/// Where a change is in the text of its segment, and what it is found by.
#[derive(Debug, Clone)]
pub(super) struct RowIndex {
    pub(super) seq: u64,
    pub(super) at: Timestamp,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) slug: (u32, u32),
    pub(super) revision: (u32, u32),
    pub(super) fields_start: u32,
    /// A bit for each of the record's fields.
    pub(super) fields: u16,
    pub(super) kind: ChangeKind,
    pub(super) vendor: u32,
    pub(super) former_vendor: u32,
}

pub(super) struct Segment {
    /// The JSON of the changes.
    pub(super) text: Box<str>,
    pub(super) rows: Box<[RowIndex]>,
    /// The numbers of the rows, ordered by slug.
    pub(super) by_slug: Box<[u32]>,
    /// The rows of renamed apps with their former slugs.
    pub(super) renamed: Box<[(u32, Box<str>)]>,
    pub(super) vendors: Box<[Box<str>]>,
    pub(super) revisions: Box<[JournalRevision]>,
    pub(super) revision_numbers: HashMap<Box<str>, u32>,
    /// The last number of a change or a revision.
    pub(super) last_seq: u64,
}

impl Segment {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn last_seq(&self) -> u64 {
        self.last_seq
    }

    /// The number of the first change; none comes after a segment without changes.
    pub(super) fn first_row_seq(&self) -> u64 {
        self.rows.first().map_or(self.last_seq, |row| row.seq)
    }

    /// What it counts for when segments are joined.
    pub(super) fn weight(&self) -> usize {
        self.rows.len() + self.revisions.len()
    }

    pub(super) fn size(&self) -> usize {
        self.text.len()
            + size_of_val(&*self.rows)
            + size_of_val(&*self.by_slug)
            + self.vendors.iter().map(|vendor| vendor.len() + 16).sum::<usize>()
            // A token is in the list and in the table.
            + self.revisions.len() * (size_of::<JournalRevision>() + 100)
    }

    pub(super) fn text(&self, start: u32, end: u32) -> &str {
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    pub(super) fn vendor(&self, number: u32) -> Option<&str> {
        self.vendors.get(number as usize).map(|vendor| &**vendor)
    }

    pub(super) fn former_slug(&self, row: &RowIndex) -> Option<&str> {
        if row.kind != ChangeKind::Renamed {
            return None;
        }
        let of_row = |(number, _): &&(u32, Box<str>)| self.rows[*number as usize].seq == row.seq;
        self.renamed.iter().find(of_row).map(|(_, slug)| &**slug)
    }

    pub(super) fn revision(&self, token: &str) -> Option<&JournalRevision> {
        self.revision_numbers.get(token).map(|number| &self.revisions[*number as usize])
    }
}
