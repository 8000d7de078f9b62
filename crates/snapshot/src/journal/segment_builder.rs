//! Writes segments: changes are appended to the last one until it is full.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write,
    sync::Arc,
};

use appstitch_store::{JournalRevision, StoredChange};
use appstitch_text::fold_case;
use appstitch_types::{ChangeKind, FieldChange, RECORD_FIELDS};
use serde::de::Error as _;
use serde_json::{Value, value::RawValue};

use super::{
    row::ChangeRow,
    segment::{NONE, RowIndex, Segment},
};

/// The most changes and revisions of a segment that is still extended.
pub(super) const FULL: usize = 4096;

/// Segments being written, each with as much as it may hold.
#[derive(Default)]
pub(super) struct SegmentsBuilder {
    finished: Vec<Arc<Segment>>,
    builder: SegmentBuilder,
}

impl SegmentsBuilder {
    pub(super) fn continuing(finished: Vec<Arc<Segment>>, builder: SegmentBuilder) -> Self {
        Self { finished, builder }
    }

    /// What is written next, which is a new segment if the last one is full.
    pub(super) fn open(&mut self) -> &mut SegmentBuilder {
        if self.builder.is_full() {
            self.finished.push(Arc::new(std::mem::take(&mut self.builder).finish()));
        }
        &mut self.builder
    }

    pub(super) fn finish(mut self) -> Vec<Arc<Segment>> {
        if !self.builder.is_empty() {
            self.finished.push(Arc::new(self.builder.finish()));
        }
        self.finished
    }
}

/// The text that a field had before.
fn old_text(change: Option<&RawValue>) -> Result<Option<String>, serde_json::Error> {
    let change = change.map(|change| serde_json::from_str::<FieldChange>(change.get()));
    Ok(match change.transpose()?.map(|change| change.from) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    })
}

#[derive(Default)]
pub(super) struct SegmentBuilder {
    text: String,
    rows: Vec<RowIndex>,
    renamed: Vec<(u32, Box<str>)>,
    vendors: Vec<Box<str>>,
    vendor_numbers: HashMap<Box<str>, u32>,
    revisions: Vec<JournalRevision>,
}

impl SegmentBuilder {
    fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.revisions.is_empty()
    }

    fn is_full(&self) -> bool {
        self.rows.len() + self.revisions.len() >= FULL
    }

    pub(super) fn mark(&mut self, revision: &JournalRevision) {
        self.revisions.push(revision.clone());
    }

    pub(super) fn push(&mut self, change: &StoredChange) -> Result<(), serde_json::Error> {
        let StoredChange { seq, revision, at, slug, kind, vendor, fields } = change;
        let kind = ChangeKind::from_word(kind)
            .ok_or_else(|| serde_json::Error::custom(format!("unknown kind '{kind}'")))?;
        // Most values are only sent, so they are not parsed.
        let changed: BTreeMap<&str, &RawValue> = serde_json::from_str(fields)?;
        let old_text = |name: &str| old_text(changed.get(name).copied());
        let numbers = RECORD_FIELDS.iter().zip(0..);
        let mask = numbers.fold(0_u16, |mask, (name, number): (_, u32)| {
            mask | (u16::from(changed.contains_key(name)) << number)
        });
        let start = self.end();
        // Writing to a string cannot fail.
        let _ = write!(self.text, r#"{{"seq":{seq},"at":"{at}","revision":"#);
        let revision = self.quoted(revision)?;
        self.text.push_str(r#","slug":"#);
        let slug_range = self.quoted(slug)?;
        let _ = write!(self.text, r#","kind":"{}","fields":"#, kind.word());
        let fields_start = self.end();
        self.text.push_str(fields);
        self.text.push('}');
        if kind == ChangeKind::Renamed
            && let Some(former) = old_text("slug")?
        {
            let number = u32::try_from(self.rows.len()).unwrap_or(NONE);
            self.renamed.push((number, former.into()));
        }
        let former_vendor = old_text("vendor")?.map_or(NONE, |former| self.vendor(&former));
        let row = RowIndex {
            seq: *seq,
            at: *at,
            start,
            end: self.end(),
            slug: slug_range,
            revision,
            fields_start,
            fields: mask,
            kind,
            vendor: vendor.as_deref().map_or(NONE, |vendor| self.vendor(vendor)),
            former_vendor,
        };
        self.rows.push(row);
        Ok(())
    }

    pub(super) fn copy(&mut self, row: ChangeRow<'_>) {
        let start = self.end();
        self.text.push_str(row.json());
        let old = row.index;
        let moved = |position: u32| position - old.start + start;
        let number = u32::try_from(self.rows.len()).unwrap_or(NONE);
        self.renamed.extend(row.former_slug().map(|former| (number, former.into())));
        let mut vendor =
            |number: u32| row.segment.vendor(number).map_or(NONE, |vendor| self.folded(vendor));
        let index = RowIndex {
            start,
            end: moved(old.end),
            slug: (moved(old.slug.0), moved(old.slug.1)),
            revision: (moved(old.revision.0), moved(old.revision.1)),
            fields_start: moved(old.fields_start),
            vendor: vendor(old.vendor),
            former_vendor: vendor(old.former_vendor),
            ..old.clone()
        };
        self.rows.push(index);
    }

    /// Writes a JSON string; returns where its content is. Slugs and tokens need no escapes.
    fn quoted(&mut self, text: &str) -> Result<(u32, u32), serde_json::Error> {
        let start = self.end() + 1;
        self.text.push_str(&serde_json::to_string(text)?);
        Ok((start, self.end() - 1))
    }

    fn vendor(&mut self, vendor: &str) -> u32 {
        self.folded(&fold_case(vendor))
    }

    fn folded(&mut self, vendor: &str) -> u32 {
        if let Some(number) = self.vendor_numbers.get(vendor) {
            return *number;
        }
        let number = u32::try_from(self.vendors.len()).unwrap_or(NONE);
        self.vendors.push(vendor.into());
        self.vendor_numbers.insert(vendor.into(), number);
        number
    }

    /// The text of a segment is far below four gigabytes: its rows and their fields are bounded.
    fn end(&self) -> u32 {
        u32::try_from(self.text.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn finish(self) -> Segment {
        let Self { text, rows, renamed, vendors, revisions, .. } = self;
        let slug = |number: &u32| {
            let (start, end) = rows[*number as usize].slug;
            &text[start as usize..end as usize]
        };
        let mut by_slug: Vec<u32> = (0..).take(rows.len()).collect();
        // Stable, so that the changes of an app stay in their order.
        by_slug.sort_by(|left, right| slug(left).cmp(slug(right)));
        let last_row = rows.last().map_or(0, |row| row.seq);
        let last_revision = revisions.last().map_or(0, |revision| revision.newest);
        Segment {
            by_slug: by_slug.into(),
            last_seq: last_row.max(last_revision),
            text: text.into(),
            rows: rows.into(),
            renamed: renamed.into(),
            vendors: vendors.into(),
            // Of equal tokens the last one counts.
            revision_numbers: revisions
                .iter()
                .zip(0..)
                .map(|(revision, number)| (revision.token.as_str().into(), number))
                .collect(),
            revisions: revisions.into(),
        }
    }
}
