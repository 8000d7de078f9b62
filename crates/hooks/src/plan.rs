//! What to do next for a hook. Pure: the journal, the hook and the time are given.
//!
//! A delivery covers everything after the hook's cursor, so that an outage loses nothing. The end of
//! a delivery is fixed before the first attempt: a repeat, also one after a crash, is the same message
//! with the same identifier.

use appstitch_feeds::LONGEST_LIST;
use appstitch_snapshot::Journal;
use appstitch_store::{HookProgress, JournalPosition};
use appstitch_types::AppChange;
use jiff::Timestamp;

use crate::filter::HookFilter;

#[derive(Debug, PartialEq)]
pub(crate) enum Step {
    /// Nothing, until something changes.
    Nothing,
    /// Nothing before a time.
    Wait(Timestamp),
    /// No change passes the filter: move the cursor without a delivery.
    Skip(JournalPosition),
    /// Send a message. Afterwards the cursor is at its end.
    Send(Planned),
}

impl Step {
    /// Whether the receiver has to read the whole catalog.
    pub(crate) const fn is_reset(&self) -> bool {
        matches!(self, Self::Send(Planned { content: Content::Reset, .. }))
    }
}

#[derive(Debug, PartialEq)]
pub(crate) struct Planned {
    /// The last change before it.
    pub(crate) after: u64,
    pub(crate) to: JournalPosition,
    pub(crate) content: Content,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Content {
    /// The changes that pass the filter: how many there are, the first ones, and the revision and time
    /// of the last one.
    Changes { count: usize, first: Vec<AppChange>, revision: String, at: Timestamp },
    /// The changes after the cursor are no longer known.
    Reset,
}

pub(crate) fn plan(
    progress: &HookProgress,
    filter: &HookFilter,
    journal: &Journal,
    now: Timestamp,
) -> Step {
    if progress.disabled.is_some() {
        return Step::Nothing;
    }
    let cursor = &progress.cursor;
    let newest = journal.newest();
    let is_same_epoch = cursor.epoch == journal.epoch();
    // A cursor after the newest change is of a revision that this process has not loaded yet.
    if is_same_epoch && cursor.seq >= newest {
        return Step::Nothing;
    }
    let is_known = is_same_epoch && cursor.seq >= journal.floor();
    if let Some(time) = progress.next_attempt.filter(|time| *time > now) {
        return Step::Wait(time);
    }
    let fixed = progress.pending.as_ref().filter(|pending| {
        let starts_before = !is_known || pending.seq > cursor.seq;
        pending.epoch == journal.epoch() && starts_before
    });
    // Another process tried to deliver a revision that this process has not loaded yet. A shorter
    // message would repeat its first changes under another identifier.
    if fixed.is_some_and(|pending| pending.seq > newest) {
        return Step::Nothing;
    }
    let to = fixed.map_or(newest, |pending| pending.seq);
    let to = JournalPosition { epoch: journal.epoch().to_owned(), seq: to };
    if !is_known {
        return Step::Send(Planned { after: to.seq, to, content: Content::Reset });
    }
    match changes(filter, journal, cursor.seq, to.seq) {
        None => Step::Skip(to),
        Some(content) => Step::Send(Planned { after: cursor.seq, to, content }),
    }
}

/// The changes that pass the filter; `None` if there are none.
fn changes(filter: &HookFilter, journal: &Journal, after: u64, to: u64) -> Option<Content> {
    let filter = filter.prepared();
    let rows = journal.after(after).take_while(|row| row.seq() <= to);
    let (mut count, mut first, mut last) = (0, Vec::new(), None);
    for row in rows.filter(|row| filter.passes(*row)) {
        count += 1;
        if first.len() < LONGEST_LIST {
            first.push(row.change());
        }
        last = Some((row.revision().to_owned(), row.at()));
    }
    let (revision, at) = last?;
    Some(Content::Changes { count, first, revision, at })
}

#[cfg(test)]
mod tests;
