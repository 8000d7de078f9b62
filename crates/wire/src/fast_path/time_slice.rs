//! How long a connection may go on before others get their turn.
//!
//! A client can send thousands of requests at once. A connection that answered them all would make
//! every other one wait for as long.

use std::time::Duration;

use tokio::time::Instant;

/// A turn ends after this many responses.
const ANSWERS: u32 = 32;

/// Some responses have to be made: a turn also ends when it has taken this long.
const TIME: Duration = Duration::from_millis(1);

/// The clock is read only after this many responses.
const LOOK: u32 = 2;

pub(super) struct TimeSlice {
    responses: u32,
    since: Instant,
    /// The connection has waited, so others had their turn.
    is_interrupted: bool,
}

impl TimeSlice {
    pub(super) fn new(now: Instant) -> Self {
        Self { responses: 0, since: now, is_interrupted: false }
    }

    /// The connection waits.
    pub(super) fn interrupt(&mut self) {
        self.is_interrupted = true;
    }

    /// The connection has received something; if it had to wait for it, that is a new turn.
    pub(super) fn go_on(&mut self, now: Instant) {
        if self.is_interrupted {
            *self = Self::new(now);
        }
    }

    /// Counts a response, and returns whether it was the last of the turn.
    pub(super) fn ends(&mut self) -> bool {
        self.responses += 1;
        self.responses >= ANSWERS
            || (self.responses.is_multiple_of(LOOK) && self.since.elapsed() >= TIME)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_ends_after_some_responses_or_some_time() {
        // So far ahead that no time passes.
        let mut quick = TimeSlice::new(Instant::now() + Duration::from_hours(1));
        assert_eq!((1..100).find(|_| quick.ends()), Some(ANSWERS));
        let mut slow = TimeSlice::new(Instant::now());
        slow.since = slow.since.checked_sub(TIME).unwrap();
        assert_eq!((1..100).find(|_| slow.ends()), Some(LOOK));
        slow.go_on(Instant::now());
        assert_eq!(slow.responses, LOOK, "it has not waited");
        slow.interrupt();
        slow.go_on(Instant::now());
        assert_eq!(slow.responses, 0);
    }
}
