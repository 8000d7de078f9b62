//! Pages of changes for people: newest first, and back in time.

use super::{ChangeFilter, ChangeRow, Journal, page::CompiledFilter};

/// A page of changes, newest first.
pub struct NewestFirst<'a> {
    pub rows: Vec<ChangeRow<'a>>,
    /// The position before which the next older page begins, if there is one.
    pub older: Option<u64>,
    /// The position before which the next newer page begins, if there is one.
    pub newer: Option<u64>,
}

impl Journal {
    /// The newest changes with a number from `after` up to, but excluding, `before`, newest first.
    pub fn newest_first(
        &self,
        after: u64,
        before: Option<u64>,
        filter: &ChangeFilter,
        limit: usize,
    ) -> NewestFirst<'_> {
        let compiled = CompiledFilter::new(filter);
        let before = before.unwrap_or(u64::MAX);
        // One more than the page has, to know whether there are further ones.
        let take = limit.saturating_add(1);
        let (mut rows, newer): (Vec<ChangeRow<'_>>, Vec<u64>) = if let Some(slug) = &filter.slug {
            let rows = || self.of_app(slug).filter(|row| compiled.matches(*row));
            let is_older = |row: &ChangeRow<'_>| (after + 1..before).contains(&row.seq());
            let newer = rows().map(ChangeRow::seq).filter(|seq| *seq >= before);
            (rows().rev().filter(is_older).take(take).collect(), newer.take(take).collect())
        } else {
            let older = self.after(after).rev().skip_while(|row| row.seq() >= before);
            let newer = self.after(before.saturating_sub(1));
            let newer = newer.filter(|row| compiled.matches(*row)).map(ChangeRow::seq);
            let older = older.filter(|row| compiled.matches(*row));
            (older.take(take).collect(), newer.take(take).collect())
        };
        let has_older = rows.len() > limit;
        rows.truncate(limit);
        let older = rows.last().filter(|_| has_older).map(|row| row.seq());
        // A full page of newer changes ends before the one after it; a shorter one is the newest.
        let newer = match newer.get(limit) {
            Some(next) => Some(*next),
            None => (!newer.is_empty()).then(|| self.newest().saturating_add(1)),
        };
        NewestFirst { rows, older, newer }
    }
}
