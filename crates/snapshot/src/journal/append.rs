//! The journal of the next revision.

use std::{
    collections::HashSet,
    hash::{BuildHasher, Hasher, RandomState},
    sync::Arc,
};

use appstitch_store::{
    JournalChange, JournalHead, JournalRevision, NewRevision, StoredChange, StoredDriftEvent,
};
use jiff::{SignedDuration, Timestamp};

use super::{
    Comparison, Journal, read_event,
    segment::Segment,
    segment_builder::{FULL, SegmentBuilder, SegmentsBuilder},
};

/// For how long changes are kept one by one.
const RETENTION: SignedDuration = SignedDuration::from_hours(400 * 24);

/// Changes are folded only if this much time can be folded at once: folding copies what it keeps.
const FOLD_STEP: SignedDuration = SignedDuration::from_hours(24);

/// The most changes that are kept, whatever their age. Beyond it, older ones are folded.
const MOST_CHANGES: usize = 200_000;

/// How many are left when there were too many.
const LEFT_CHANGES: usize = 100_000;

impl Journal {
    pub fn next(
        &self,
        comparison: Comparison,
        revision: &NewRevision,
    ) -> Result<JournalChange, serde_json::Error> {
        let Comparison::Rows { changes, drift } = comparison else {
            return Ok(self.new_epoch(revision));
        };
        let (at, token) = (revision.changed_at, &revision.token);
        let mut numbers = self.newest() + 1..;
        let mut next = || numbers.next().unwrap_or(u64::MAX);
        let mut rows = Vec::with_capacity(changes.len());
        for change in changes {
            rows.push(StoredChange {
                seq: next(),
                revision: token.clone(),
                at,
                slug: change.slug,
                kind: change.kind.word().to_owned(),
                vendor: change.vendor,
                fields: serde_json::to_string(&change.fields)?,
            });
        }
        let mut events = Vec::with_capacity(drift.len());
        for event in drift {
            let body = serde_json::to_string(&event)?;
            events.push(StoredDriftEvent { seq: next(), revision: token.clone(), at, body });
        }
        let newest = next() - 1;
        let mut head = JournalHead { newest, ..self.head.clone() };
        let fold = self.fold_at(at, rows.len());
        if let Some((floor, floor_at)) = fold {
            (head.floor, head.floor_at) = (floor, Some(floor_at));
        }
        let change = JournalChange {
            head,
            forgets_all: false,
            folds: fold.is_some(),
            changes: rows,
            drift: events,
            patch_titles: Vec::new(),
        };
        // Folding keeps a change for every app that ever was.
        let left = if change.folds { self.folded(change.head.floor).len() } else { self.len() };
        if left + change.changes.len() > MOST_CHANGES {
            return Ok(self.new_epoch(revision));
        }
        Ok(change)
    }

    /// A new beginning: there are too many changes, or it is unknown what changed.
    fn new_epoch(&self, revision: &NewRevision) -> JournalChange {
        let newest = self.newest();
        let floor_at = Some(revision.changed_at);
        JournalChange {
            head: JournalHead { epoch: random_epoch(), newest, floor: newest, floor_at },
            forgets_all: true,
            ..JournalChange::default()
        }
    }

    /// Up to which number changes are folded now, and its time.
    fn fold_at(&self, now: Timestamp, added: usize) -> Option<(u64, Timestamp)> {
        let oldest = self.after(self.floor()).next()?;
        let age = now.duration_since(oldest.at());
        if age > RETENTION + FOLD_STEP {
            let old = self.after(self.floor());
            let last = old.take_while(|row| now.duration_since(row.at()) > RETENTION).last()?;
            return Some(self.end_of_revision(last.seq(), last.at()));
        }
        if self.len() + added > MOST_CHANGES {
            let last = self.after(self.floor()).rev().nth(LEFT_CHANGES.saturating_sub(added))?;
            return Some(self.end_of_revision(last.seq(), last.at()));
        }
        None
    }

    /// The last number of the revision that a number belongs to, so that no revision is cut in two.
    fn end_of_revision(&self, seq: u64, at: Timestamp) -> (u64, Timestamp) {
        let found = self
            .revisions()
            .filter(|revision| revision.newest >= seq)
            .min_by_key(|revision| revision.newest);
        found.map_or((seq, at), |revision| (revision.newest, revision.changed_at))
    }

    pub fn with(
        &self,
        change: &JournalChange,
        revision: &NewRevision,
    ) -> Result<Self, serde_json::Error> {
        let mut next = if change.forgets_all {
            Self { head: change.head.clone(), ..Self::default() }
        } else if change.folds {
            self.folded(change.head.floor)
        } else {
            self.clone()
        };
        next.head = change.head.clone();
        next.patch_titles = Arc::clone(&self.patch_titles);
        for event in &change.drift {
            next.drift.push(read_event(event)?);
        }
        let last = next.reopen(change.changes.len() + 1);
        let mut segments = SegmentsBuilder::continuing(std::mem::take(&mut next.segments), last);
        for row in &change.changes {
            segments.open().push(row)?;
        }
        segments.open().mark(&JournalRevision {
            token: revision.token.clone(),
            changed_at: revision.changed_at,
            newest: change.head.newest,
        });
        next.segments = segments.finish();
        Ok(next)
    }

    /// A builder with the last segments, as far as they are small compared with what is added. Like
    /// that, a change is copied only a few times, and there are few segments.
    fn reopen(&mut self, added: usize) -> SegmentBuilder {
        let mut weight = added;
        let mut small: Vec<Arc<Segment>> = Vec::new();
        while let Some(last) = self.segments.pop_if(|last| {
            let last_weight = last.weight();
            last_weight <= 2 * weight && last_weight + weight <= FULL
        }) {
            weight += last.weight();
            small.push(last);
        }
        let mut builder = SegmentBuilder::default();
        for segment in small.iter().rev() {
            segment.rows().for_each(|row| builder.copy(row));
            segment.revisions.iter().for_each(|revision| builder.mark(revision));
        }
        builder
    }

    /// The journal with only the last change of each app up to a number.
    fn folded(&self, floor: u64) -> Self {
        let mut seen = HashSet::new();
        let old = self.after(0).rev().skip_while(|row| row.seq() > floor);
        let mut last: Vec<_> = old.filter(|row| seen.insert(row.slug())).collect();
        last.reverse();
        let mut next = Self { head: self.head.clone(), ..Self::default() };
        next.drift = self.drift.iter().filter(|event| event.seq > floor).cloned().collect();
        let mut segments = SegmentsBuilder::default();
        let mut revisions = self.revisions().filter(|revision| revision.newest >= floor).peekable();
        for row in last.into_iter().chain(self.after(floor)) {
            while let Some(revision) = revisions.next_if(|next| next.newest < row.seq()) {
                segments.open().mark(revision);
            }
            segments.open().copy(row);
        }
        revisions.for_each(|revision| segments.open().mark(revision));
        next.segments = segments.finish();
        next
    }
}

/// A name for a new sequence of numbers.
fn random_epoch() -> String {
    // The standard library seeds its hashers at random.
    let random = RandomState::new().build_hasher().finish();
    format!("{:08x}", random & 0xffff_ffff)
}
