//! How long a client may take to read a response.
//!
//! A client that reads nothing is disconnected after a while. So is one that reads a few bytes now
//! and then, which would otherwise keep its connection, and the memory of a revision, forever.

use std::time::Duration;

use tokio::time::Instant;

use crate::memory::Patience;

/// A client that has made us wait, and what it has received since then.
#[derive(Debug)]
pub(crate) struct SlowReader {
    since: Instant,
    sent: u64,
}

impl SlowReader {
    pub(crate) fn new(now: Instant) -> Self {
        Self { since: now, sent: 0 }
    }

    pub(crate) fn took(&mut self, bytes: usize) {
        self.sent = self.sent.saturating_add(bytes as u64);
    }

    /// Until when the next bytes have to be taken: within a time from now, and no later than the
    /// average allows.
    pub(crate) fn deadline(&self, now: Instant, patience: Patience) -> Instant {
        let Patience { pause, rate } = patience;
        let earned = Duration::from_millis(self.sent.saturating_mul(1000) / rate.max(1));
        let fair = self.since + pause.saturating_add(earned);
        fair.min(now + pause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_needs_both_progress_and_an_average() {
        let start = Instant::now();
        let seconds = Duration::from_secs;
        let patience = Patience::usual(seconds(30));
        let mut reader = SlowReader::new(start);
        assert_eq!(reader.deadline(start, patience), start + seconds(30));
        reader.took(80 << 10);
        assert_eq!(reader.deadline(start + seconds(5), patience), start + seconds(35));
        assert_eq!(reader.deadline(start + seconds(20), patience), start + seconds(40));
        assert!(reader.deadline(start + seconds(41), patience) < start + seconds(41));
    }
}
