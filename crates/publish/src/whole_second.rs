//! Times as they are served.

use jiff::Timestamp;

/// Rounded down, so that the time is never in the future.
pub(crate) fn whole_second(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second()).unwrap_or(time)
}
