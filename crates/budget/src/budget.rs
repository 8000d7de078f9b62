use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use crate::{
    exceeded::Exceeded,
    limits::Limits,
    pool::{Pool, Reserved},
};

/// What is left of the limits of one piece of work.
///
/// A step is a small piece of work: an entry, some dozens of characters that are copied or searched.
/// Taking steps in proportion to what they do limits the time in a way that is the same on
/// every machine. A deadline or a flag limits it by the clock as well.
///
/// Too many bytes stop only what needs them: it was not made, and something smaller may fit. Too deep
/// nesting, too many rows, too many steps, requests or too much time end everything: every later
/// demand fails with the same reason.
///
/// ```
/// use appstitch_budget::{Budget, Exceeded, Limits};
///
/// let mut budget = Budget::new(Limits { bytes: 10, rows: 1, ..Limits::NONE });
/// assert_eq!(budget.hold(11), Err(Exceeded::Bytes(10)));
/// budget.hold(10)?;
/// budget.row()?;
/// assert_eq!(budget.row(), Err(Exceeded::Rows(1)));
/// # Ok::<(), Exceeded>(())
/// ```
#[derive(Debug)]
pub struct Budget {
    limits: Limits,
    left: Limits,
    used: Used,
    stop: Option<Arc<AtomicBool>>,
    deadline: Option<Instant>,
    pause: Option<Pause>,
    /// The steps until the clock is looked at again.
    steps_to_clock: u64,
    share: Option<Share>,
    reached: Option<Exceeded>,
}

struct Pause(Box<dyn FnMut() + Send + Sync>);

impl fmt::Debug for Pause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Pause")
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Used {
    pub steps: u64,
    /// The bytes that were made. Not all of them were held at the same time.
    pub bytes: u64,
    pub rows: u64,
}

/// The part of a pool that a budget uses.
#[derive(Debug)]
struct Share {
    reserved: Reserved,
    /// The reserved bytes that are not held. Bytes are reserved in larger pieces than they are held.
    spare: u64,
}

/// How many bytes are taken from a pool at least.
const PIECE: u64 = 256 << 10;

/// How many steps are taken between two looks at the clock.
const STEPS_PER_CLOCK: u64 = 10_000;

impl Default for Budget {
    /// The budget for reading one file.
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl Clone for Budget {
    /// The clone has a copy of what is left. It does not count what the original holds of a pool,
    /// and does not let others work.
    fn clone(&self) -> Self {
        Self {
            stop: self.stop.clone(),
            pause: None,
            share: self.share.as_ref().map(|share| Share::of(share.reserved.pool())),
            ..*self
        }
    }
}

impl Budget {
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            left: limits,
            used: Used::default(),
            stop: None,
            deadline: None,
            pause: None,
            steps_to_clock: 0,
            share: None,
            reached: None,
        }
    }

    /// Ends the work soon after this flag is set, for example by a timer.
    #[must_use]
    pub fn stopped_by(self, flag: Arc<AtomicBool>) -> Self {
        Self { stop: Some(flag), ..self }
    }

    #[must_use]
    pub fn until(self, deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..self }
    }

    /// Calls this from time to time while steps are taken, to let others work.
    #[must_use]
    pub fn pausing(self, pause: impl FnMut() + Send + Sync + 'static) -> Self {
        Self { pause: Some(Pause(Box::new(pause))), ..self }
    }

    /// Ends what [`pausing`](Self::pausing) began.
    pub fn stop_pausing(&mut self) {
        self.pause = None;
    }

    /// Takes the bytes from a pool as well.
    #[must_use]
    pub fn within(self, pool: &Pool) -> Self {
        Self { share: Some(Share::of(pool)), ..self }
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    pub fn reserved(&self) -> u64 {
        self.share.as_ref().map_or(0, |share| share.reserved.bytes())
    }

    pub fn step(&mut self, count: u64) -> Result<(), Exceeded> {
        self.look_at_clock(count);
        self.check(count <= self.left.steps, Exceeded::Steps(self.limits.steps))?;
        self.left.steps -= count;
        self.used.steps += count;
        Ok(())
    }

    /// Takes bytes that are held from now on.
    pub fn hold(&mut self, count: usize) -> Result<(), Exceeded> {
        let count = count as u64;
        if count > self.left.bytes {
            return Err(Exceeded::Bytes(self.limits.bytes));
        }
        if let Some(share) = &mut self.share {
            share.take(count)?;
        }
        self.left.bytes -= count;
        self.used.bytes += count;
        Ok(())
    }

    pub fn hold_each(&mut self, count: usize, size: usize) -> Result<(), Exceeded> {
        self.hold(count.saturating_mul(size))
    }

    /// Gives back bytes that are no longer held.
    pub fn release(&mut self, count: usize) {
        let count = count as u64;
        self.left.bytes = self.left.bytes.saturating_add(count).min(self.limits.bytes);
        if let Some(share) = &mut self.share {
            share.give_back(count);
        }
    }

    /// Raises the limit of bytes: something else that is held with it became free.
    ///
    /// ```
    /// use appstitch_budget::{Budget, Exceeded, Limits};
    ///
    /// let mut budget = Budget::new(Limits { bytes: 10, ..Limits::NONE });
    /// budget.hold(10)?;
    /// budget.allow(5);
    /// budget.hold(5)?;
    /// assert_eq!(budget.hold(1), Err(Exceeded::Bytes(15)));
    /// # Ok::<(), Exceeded>(())
    /// ```
    pub fn allow(&mut self, bytes: u64) {
        self.limits.bytes = self.limits.bytes.saturating_add(bytes);
        self.left.bytes = self.left.bytes.saturating_add(bytes);
    }

    pub fn row(&mut self) -> Result<(), Exceeded> {
        self.check(self.left.rows > 0, Exceeded::Rows(self.limits.rows))?;
        self.left.rows -= 1;
        self.used.rows += 1;
        Ok(())
    }

    pub fn request(&mut self) -> Result<(), Exceeded> {
        self.check(self.left.requests > 0, Exceeded::Requests(self.limits.requests))?;
        self.left.requests -= 1;
        Ok(())
    }

    /// Goes one level deeper.
    pub fn enter(&mut self) -> Result<(), Exceeded> {
        self.check(self.left.depth > 0, Exceeded::Depth(self.limits.depth))?;
        self.left.depth -= 1;
        Ok(())
    }

    /// Comes back from a level.
    pub fn leave(&mut self) {
        self.left.depth = self.left.depth.saturating_add(1).min(self.limits.depth);
    }

    /// Whether one more problem is kept. Call it once per problem.
    pub fn keeps_problem(&mut self) -> bool {
        let keeps = self.left.problems > 0;
        self.left.problems = self.left.problems.saturating_sub(1);
        keeps
    }

    pub fn reached(&self) -> Option<Exceeded> {
        self.reached
    }

    pub fn used(&self) -> Used {
        self.used
    }

    fn look_at_clock(&mut self, steps: u64) {
        if self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            self.reached.get_or_insert(Exceeded::Time);
        }
        if self.deadline.is_none() && self.pause.is_none() {
            return;
        }
        if let Some(left) = self.steps_to_clock.checked_sub(steps) {
            self.steps_to_clock = left;
            return;
        }
        self.steps_to_clock = STEPS_PER_CLOCK;
        if let Some(Pause(pause)) = &mut self.pause {
            pause();
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.reached.get_or_insert(Exceeded::Time);
        }
    }

    fn check(&mut self, enough: bool, limit: Exceeded) -> Result<(), Exceeded> {
        if !enough {
            self.reached.get_or_insert(limit);
        }
        self.reached.map_or(Ok(()), Err)
    }
}

impl Share {
    fn of(pool: &Pool) -> Self {
        Self { reserved: pool.reserve_nothing(), spare: 0 }
    }

    fn take(&mut self, count: u64) -> Result<(), Exceeded> {
        if let Some(missing) = count.checked_sub(self.spare).filter(|missing| *missing > 0) {
            let piece = missing.max(PIECE);
            let more = match self.reserved.grow(piece) {
                Ok(()) => piece,
                // The pool is almost empty.
                Err(_) => self.reserved.grow(missing).map(|()| missing)?,
            };
            self.spare += more;
        }
        self.spare -= count;
        Ok(())
    }

    fn give_back(&mut self, count: u64) {
        self.spare = self.spare.saturating_add(count).min(self.reserved.bytes());
        if let Some(excess) = self.spare.checked_sub(2 * PIECE) {
            self.reserved.shrink(excess);
            self.spare -= excess;
        }
    }
}

#[cfg(test)]
mod tests;
