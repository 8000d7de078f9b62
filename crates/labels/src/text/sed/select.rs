//! Which lines a command is for.

use super::command::{Address, Command, RangeEnd};
use super::machine::Machine;
use crate::{Budget, Stopped};

impl Machine<'_> {
    pub(super) fn selects(
        &mut self,
        at: usize,
        command: &Command,
        budget: &mut Budget,
    ) -> Result<bool, Stopped> {
        let Some(from) = &command.from else { return Ok(true) };
        let Some(to) = &command.to else { return self.is_at(from, budget) };
        let open = self.ranges.get(at).copied().flatten();
        let end = match open {
            Some(RangeEnd::Line(line)) => {
                // A range whose end has passed selects one line more, or none, and is closed.
                if self.read > line {
                    self.set_range(at, None);
                    return self.start_range(at, from, to, budget);
                }
                self.read == line
            }
            Some(RangeEnd::Match) => self.is_at(to, budget)?,
            None => return self.start_range(at, from, to, budget),
        };
        if end {
            self.set_range(at, None);
        }
        Ok(true)
    }

    fn start_range(
        &mut self,
        at: usize,
        from: &Address,
        to: &Address,
        budget: &mut Budget,
    ) -> Result<bool, Stopped> {
        if !self.is_at(from, budget)? {
            return Ok(false);
        }
        let end = match to {
            Address::Line(line) if *line <= self.read => None,
            Address::Line(line) => Some(RangeEnd::Line(*line)),
            Address::Last | Address::Match(_) => Some(RangeEnd::Match),
        };
        self.set_range(at, end);
        Ok(true)
    }

    fn set_range(&mut self, at: usize, end: Option<RangeEnd>) {
        if let Some(range) = self.ranges.get_mut(at) {
            *range = end;
        }
    }

    fn is_at(&mut self, address: &Address, budget: &mut Budget) -> Result<bool, Stopped> {
        match address {
            Address::Line(line) => Ok(self.read == *line),
            Address::Last => Ok(self.read == self.lines.len()),
            Address::Match(pattern) => {
                let pattern = self.pattern(pattern.as_ref())?;
                pattern.is_match(&self.pattern_space, budget)
            }
        }
    }
}
