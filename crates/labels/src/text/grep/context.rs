//! The lines around a selected line.

use std::collections::VecDeque;

/// Remembers the lines before a selected line, and counts those behind it.
pub(super) struct Context<'a> {
    before: usize,
    after: usize,
    waiting: VecDeque<(usize, &'a str)>,
    owed: usize,
    printed: Option<usize>,
}

impl<'a> Context<'a> {
    pub(super) fn new(before: usize, after: usize) -> Self {
        Self { before, after, waiting: VecDeque::new(), owed: 0, printed: None }
    }

    /// Takes note of a line that is not selected, and gives its number if it is printed behind a
    /// selected one.
    pub(super) fn passed(&mut self, number: usize, line: &'a str) -> Option<usize> {
        if self.owed > 0 {
            self.owed -= 1;
            self.printed = Some(number);
            return Some(number);
        }
        if self.before > 0 {
            if self.waiting.len() == self.before {
                self.waiting.pop_front();
            }
            self.waiting.push_back((number, line));
        }
        None
    }

    /// Takes note of a selected line, and returns whether a separator goes before its context.
    pub(super) fn selected(&mut self, number: usize) -> bool {
        let first = self.waiting.front().map_or(number, |(number, _)| *number);
        let gap = self.printed.is_some_and(|printed| printed + 1 < first);
        self.printed = Some(number);
        self.owed = self.after;
        gap && (self.before > 0 || self.after > 0)
    }

    pub(super) fn take_before(&mut self) -> VecDeque<(usize, &'a str)> {
        std::mem::take(&mut self.waiting)
    }

    pub(super) fn owed(&self) -> usize {
        self.owed
    }
}
