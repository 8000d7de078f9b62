//! The time for a whole refresh, and how its parts share it.

use std::time::{Duration, Instant};

use appstitch_network::FILE_TIME;

const DEFAULT: Duration = Duration::from_hours(1);

#[derive(Debug, Clone, Copy)]
pub struct TimeLimit {
    started: Instant,
    limit: Duration,
}

impl TimeLimit {
    /// Starts the time, with the default limit if none is given.
    pub fn start(given: Option<Duration>) -> Self {
        Self { started: Instant::now(), limit: given.unwrap_or(DEFAULT) }
    }

    pub fn left(&self) -> Duration {
        self.limit.saturating_sub(self.started.elapsed())
    }

    /// The time for the next file, if this number of parts share the time that is left. A slow
    /// server cannot take the time of the others.
    pub fn for_file(&self, parts: usize) -> Duration {
        share(self.left(), parts)
    }

    /// The time for running labels: what is left, up to `limit`. A tenth stays for sending what
    /// they found.
    pub fn for_labels(&self, limit: Duration) -> Duration {
        (self.left() / 10 * 9).min(limit)
    }
}

fn share(left: Duration, parts: usize) -> Duration {
    let parts = u32::try_from(parts.max(1)).unwrap_or(u32::MAX);
    (left / parts).min(FILE_TIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_share_the_time_and_none_gets_more_than_a_file_needs() {
        let minutes = Duration::from_mins;
        assert_eq!(share(minutes(20), 5), minutes(4));
        assert_eq!(share(minutes(20), 1), FILE_TIME);
        assert_eq!(share(Duration::ZERO, 3), Duration::ZERO);
        assert_eq!(share(minutes(1), 0), minutes(1));
    }

    #[test]
    fn labels_get_what_is_left() {
        let limit = TimeLimit::start(Some(Duration::ZERO));
        assert_eq!(limit.for_labels(Duration::from_mins(30)), Duration::ZERO);
        let limit = TimeLimit::start(None);
        assert_eq!(limit.for_labels(Duration::from_mins(30)), Duration::from_mins(30));
        let limit = TimeLimit::start(Some(Duration::from_mins(10)));
        let labels = limit.for_labels(Duration::from_mins(30));
        assert!(labels <= Duration::from_mins(9), "a part is left for sending: {labels:?}");
    }
}
