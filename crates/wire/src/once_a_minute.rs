//! Counts events of which only one a minute is logged.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

const MINUTE: Duration = Duration::from_mins(1);

/// A counter of events that any client can cause. Logging each of them would fill the log.
#[derive(Debug, Default)]
pub struct OnceAMinute {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The events since the last line.
    count: u64,
    last_line: Option<Instant>,
}

impl OnceAMinute {
    /// Counts an event. Returns the events since the last line if it is time for another one.
    pub fn count(&self, now: Instant) -> Option<u64> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.count += 1;
        let is_due = |last: Instant| now.saturating_duration_since(last) >= MINUTE;
        if !state.last_line.is_none_or(is_due) {
            return None;
        }
        state.last_line = Some(now);
        Some(std::mem::take(&mut state.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_event_is_reported_at_once_and_the_others_once_a_minute() {
        let events = OnceAMinute::default();
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(events.count(start), Some(1));
        for second in 0..60 {
            assert_eq!(events.count(after(second)), None, "{second}");
        }
        assert_eq!(events.count(after(60)), Some(61));
        assert_eq!(events.count(after(60)), None);
        assert_eq!(events.count(after(500)), Some(2));
        assert_eq!(events.count(after(100)), None, "clocks of two threads may differ");
    }
}
