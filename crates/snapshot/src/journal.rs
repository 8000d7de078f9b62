//! The journal of changes, in memory with the snapshot.
//!
//! A journal is a list of segments that never change. The journal of the next revision shares them and
//! adds its own, so that a publication copies at most the last segment. Every change is kept as the
//! JSON that is sent, with a small index beside it.

mod append;
mod comparison;
mod history;
mod newest_first;
mod page;
mod patch_titles;
mod position;
mod row;
mod segment;
mod segment_builder;
#[cfg(test)]
mod tests;

pub use comparison::Comparison;
pub(crate) use comparison::{NewChange, NewDrift};
pub use newest_first::NewestFirst;
pub use page::{ChangeFilter, ChangePage, SquashedPage};
pub use position::SinceError;
pub(crate) use position::{is_token, unquoted};
pub use row::ChangeRow;

use std::sync::Arc;

use appstitch_store::{JournalHead, StoredDriftEvent, StoredJournal};
use appstitch_types::DriftEvent;
use jiff::Timestamp;
use patch_titles::PatchTitleHistories;
use segment::Segment;
use segment_builder::SegmentsBuilder;

const NO_EPOCH: &str = "00000000";

/// Every change that is known, oldest first. Clones share the changes.
#[derive(Clone)]
pub struct Journal {
    head: JournalHead,
    segments: Vec<Arc<Segment>>,
    /// Ordered by number. Few compared with the changes.
    drift: Vec<Arc<DriftEvent>>,
    patch_titles: PatchTitleHistories,
}

impl Default for Journal {
    fn default() -> Self {
        let head = JournalHead { epoch: NO_EPOCH.to_owned(), ..JournalHead::default() };
        Self { head, segments: Vec::new(), drift: Vec::new(), patch_titles: Arc::default() }
    }
}

impl Journal {
    pub fn read(stored: StoredJournal) -> Result<Self, serde_json::Error> {
        let mut journal = Self { head: stored.head, ..Self::default() };
        if journal.head.epoch.is_empty() {
            NO_EPOCH.clone_into(&mut journal.head.epoch);
        }
        let mut segments = SegmentsBuilder::default();
        let mut revisions = stored.revisions.iter().peekable();
        for change in &stored.changes {
            while let Some(revision) = revisions.next_if(|next| next.newest < change.seq) {
                segments.open().mark(revision);
            }
            segments.open().push(change)?;
        }
        revisions.for_each(|revision| segments.open().mark(revision));
        journal.segments = segments.finish();
        let events = stored.drift.iter().map(read_event);
        journal.drift = events.collect::<Result<_, _>>()?;
        Ok(journal)
    }

    /// A journal that lost everything before: it can be followed only from its newest number on.
    pub fn without_changes(head: &JournalHead, newest: Option<Timestamp>) -> Self {
        let head = JournalHead { floor: head.newest, floor_at: newest, ..head.clone() };
        Self { head, ..Self::default() }
    }

    /// Names the sequence of numbers. Another store, or a new beginning, has another one.
    pub fn epoch(&self) -> &str {
        &self.head.epoch
    }

    /// Where it begins and ends.
    pub fn head(&self) -> &JournalHead {
        &self.head
    }

    /// Whether it ends with the same change as another one.
    pub fn ends_like(&self, other: &JournalHead) -> bool {
        (self.head.newest, &self.head.epoch) == (other.newest, &other.epoch)
    }

    pub fn newest(&self) -> u64 {
        self.head.newest
    }

    /// The catalog can be followed from this number on. Changes before it are incomplete.
    pub fn floor(&self) -> u64 {
        self.head.floor
    }

    /// When the catalog can be followed from; `None` if the journal is complete.
    pub fn floor_at(&self) -> Option<Timestamp> {
        self.head.floor_at
    }

    pub fn len(&self) -> usize {
        self.segments.iter().map(|segment| segment.len()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every change with a greater number, oldest first.
    pub fn after(&self, seq: u64) -> impl DoubleEndedIterator<Item = ChangeRow<'_>> {
        let first = self.segments.partition_point(|segment| segment.last_seq() <= seq);
        self.segments[first..].iter().flat_map(move |segment| segment.after(seq))
    }

    /// Every change of an app, oldest first. If the app was renamed, both slugs have that change.
    pub fn of_app<'a, 'b>(
        &'a self,
        slug: &'b str,
    ) -> impl DoubleEndedIterator<Item = ChangeRow<'a>> + use<'a, 'b> {
        self.segments.iter().flat_map(move |segment| segment.of_app(slug))
    }

    pub fn change(&self, seq: u64) -> Option<ChangeRow<'_>> {
        self.after(seq.checked_sub(1)?).next().filter(|row| row.seq() == seq)
    }

    /// Every drift event with a greater number, oldest first.
    pub(crate) fn drift_after(&self, seq: u64) -> impl DoubleEndedIterator<Item = &DriftEvent> {
        let first = self.drift.partition_point(|event| event.seq <= seq);
        self.drift[first..].iter().map(|event| &**event)
    }

    pub fn size(&self) -> usize {
        // An event and its texts.
        const EVENT: usize = size_of::<DriftEvent>() + 300;
        self.segments.iter().map(|segment| segment.size()).sum::<usize>()
            + self.drift.len() * EVENT
            + self.patch_titles_size()
    }
}

fn read_event(stored: &StoredDriftEvent) -> Result<Arc<DriftEvent>, serde_json::Error> {
    let event: NewDrift = serde_json::from_str(&stored.body)?;
    Ok(Arc::new(event.into_event(stored.seq, stored.at, &stored.revision)))
}
