//! Limits for everything that a label can make us do.

use crate::Stopped;

/// What is left of the limits of one run.
#[derive(Debug, Clone)]
pub struct Budget {
    steps: u64,
    bytes: u64,
    requests: u32,
}

impl Default for Budget {
    /// Far more than any real label needs.
    fn default() -> Self {
        Self { steps: 20_000_000, bytes: 256 << 20, requests: 64 }
    }
}

impl Budget {
    /// A budget with other limits.
    #[must_use]
    pub fn new(steps: u64, bytes: u64, requests: u32) -> Self {
        Self { steps, bytes, requests }
    }

    /// Takes steps: statements, turns of loops, lines and characters that are looked at.
    pub fn step(&mut self, count: usize) -> Result<(), Stopped> {
        take(&mut self.steps, count as u64, "the label takes too many steps")
    }

    /// Takes the bytes of a text that is made. They are not given back: a label that makes text all
    /// the time is stopped as well.
    pub fn hold(&mut self, count: usize) -> Result<(), Stopped> {
        take(&mut self.bytes, count as u64, "the label makes too much text")
    }

    /// Takes a request.
    pub fn request(&mut self) -> Result<(), Stopped> {
        let left = self.requests.checked_sub(1);
        self.requests = left.ok_or(Stopped::TooMuch("the label makes too many requests"))?;
        Ok(())
    }
}

fn take(left: &mut u64, count: u64, why: &'static str) -> Result<(), Stopped> {
    *left = left.checked_sub(count).ok_or(Stopped::TooMuch(why))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_stops_the_label() {
        let mut budget = Budget::new(2, 3, 1);
        assert!(budget.step(2).is_ok() && budget.step(1).is_err());
        assert!(budget.hold(3).is_ok() && budget.hold(1).is_err());
        assert!(budget.request().is_ok() && budget.request().is_err());
        assert!(budget.step(0).is_ok());
    }
}
