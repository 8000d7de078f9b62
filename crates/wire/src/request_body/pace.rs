//! How fast a body has to arrive.

use std::time::Duration;

/// How fast a body has to arrive. A slow client keeps a connection and memory from others.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// The time until the first bytes count.
    pub grace: Duration,
    /// The average after that.
    pub bytes_per_second: u64,
    pub total: Duration,
}

impl Pace {
    /// How long a body may take of which this much has arrived.
    #[must_use]
    pub fn time_for(self, received: usize) -> Duration {
        let milliseconds = (received as u64).saturating_mul(1000) / self.bytes_per_second.max(1);
        self.total.min(self.grace.saturating_add(Duration::from_millis(milliseconds)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_earns_some_time_up_to_the_total() {
        let seconds = Duration::from_secs;
        let pace = Pace { grace: seconds(5), bytes_per_second: 1000, total: seconds(60) };
        assert_eq!(pace.time_for(0), seconds(5));
        assert_eq!(pace.time_for(10_000), seconds(15));
        assert_eq!(pace.time_for(usize::MAX), seconds(60));
        assert_eq!(Pace { bytes_per_second: 0, ..pace }.time_for(1), seconds(6));
    }
}
