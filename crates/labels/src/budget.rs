//! Limits for everything that a label can make us do.

use std::sync::{Arc, atomic::AtomicBool};

use appstitch_budget::{Budget as Limited, Exceeded, Limits, Used};

use crate::Stopped;

/// What is left of the limits of one run.
///
/// A step is a small piece of work: a statement, a turn of a loop, a line, some dozens of characters
/// that are copied or searched. Commands take steps in proportion to what they really do, so the
/// number of steps limits the time. Bytes are those of all text and of everything that is built from
/// text, such as the nodes of a document. They are not given back, so they limit memory and output.
///
/// A text that is too long stops the value that needs it: it was not made, and a shorter one may fit.
/// Once any other limit is reached, nothing goes on: every later demand fails with the same reason.
#[derive(Debug, Clone)]
pub struct Budget(Limited);

impl Default for Budget {
    /// Far more than any real label needs: a hundred times the steps, and pages of many megabytes. What a
    /// hostile one takes with it stays below two seconds of processor time and 512 MB; the example
    /// `hostile_labels` measures it.
    fn default() -> Self {
        Self::new(4_000_000, 128 << 20, 64)
    }
}

impl From<Limited> for Budget {
    fn from(limited: Limited) -> Self {
        Self(limited)
    }
}

const DEPTH: u32 = 100;

impl Budget {
    pub fn new(steps: u64, bytes: u64, requests: u32) -> Self {
        Self(Limited::new(Limits { steps, bytes, requests, depth: DEPTH, ..Limits::NONE }))
    }

    /// Ends the run soon after this flag is set, for example by a timer. This crate itself has no
    /// clock.
    ///
    /// ```
    /// use std::sync::{Arc, atomic::AtomicBool};
    /// use appstitch_labels::Budget;
    ///
    /// let stop = Arc::new(AtomicBool::new(false));
    /// let budget = Budget::default().stopped_by(Arc::clone(&stop));
    /// // Another thread sets `stop` when the time is up.
    /// # let _ = budget;
    /// ```
    #[must_use]
    pub fn stopped_by(self, flag: Arc<AtomicBool>) -> Self {
        Self(self.0.stopped_by(flag))
    }

    pub(crate) fn step(&mut self, count: usize) -> Result<(), Stopped> {
        self.0.step(count as u64).map_err(stopped)
    }

    /// Takes the bytes of a text or of a structure that is made.
    pub(crate) fn hold(&mut self, count: usize) -> Result<(), Stopped> {
        self.0.hold(count).map_err(stopped)
    }

    /// Takes the bytes of a list: its elements have a size besides their text.
    pub(crate) fn hold_each(&mut self, count: usize, size: usize) -> Result<(), Stopped> {
        self.0.hold_each(count, size).map_err(stopped)
    }

    pub(crate) fn request(&mut self) -> Result<(), Stopped> {
        self.0.request().map_err(stopped)
    }

    pub(crate) fn enter(&mut self) -> Result<(), Stopped> {
        self.0.enter().map_err(stopped)
    }

    pub(crate) fn leave(&mut self) {
        self.0.leave();
    }

    /// Whether a limit is reached, so that nothing goes on.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.0.reached().is_some()
    }

    pub(crate) fn used(&self) -> Used {
        self.0.used()
    }
}

fn stopped(exceeded: Exceeded) -> Stopped {
    Stopped::TooMuch(match exceeded {
        Exceeded::Bytes(_) => "the label makes too much text",
        Exceeded::Steps(_) => "the label takes too many steps",
        Exceeded::Depth(_) => "the label nests too deeply",
        Exceeded::Rows(_) => "the label makes too many rows",
        Exceeded::Requests(_) => "the label makes too many requests",
        Exceeded::Time => "the label takes too much time",
        Exceeded::Pool(_) => "there is no memory for the text of the label at the moment",
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn every_limit_stops_the_label_for_good() {
        let budget = Budget::new(2, 3, 1);
        let mut steps = budget.clone();
        assert!(steps.step(2).is_ok() && steps.step(1).is_err());
        assert!(steps.step(0).is_err() && steps.request().is_err() && steps.is_exhausted());
        let mut bytes = budget.clone();
        assert!(bytes.hold(4).is_err() && bytes.hold(3).is_ok() && bytes.hold_each(1, 1).is_err());
        assert!(bytes.step(1).is_ok() && !bytes.is_exhausted());
        let mut requests = budget.clone();
        assert!(requests.request().is_ok() && requests.request().is_err());
        let mut depth = budget;
        assert!((0..DEPTH).all(|_| depth.enter().is_ok()) && depth.enter().is_err());
        assert_eq!(depth.step(1), Err(Stopped::TooMuch("the label nests too deeply")));
    }

    #[test]
    fn a_flag_stops_the_label() {
        let stop = Arc::new(AtomicBool::new(false));
        let mut budget = Budget::default().stopped_by(Arc::clone(&stop));
        assert!(budget.step(1).is_ok());
        stop.store(true, Ordering::Relaxed);
        assert_eq!(budget.step(1), Err(Stopped::TooMuch("the label takes too much time")));
        assert_eq!(budget.used(), Used { steps: 1, ..Used::default() });
    }
}
