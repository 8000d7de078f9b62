//! Whether a new connection is read at once, or watched until it has something to read.

/// After this many connections in a row without a request, new ones are watched.
const MISSES: u8 = 8;

/// This many connections are watched before one is read at once again.
const WATCHED: u8 = 64;

/// Clients near the server have often sent their request before the connection is accepted: reading
/// at once saves a turn. Proxies send it a moment later: reading at once is wasted.
#[derive(Debug, Default)]
pub(super) struct FirstRead {
    /// In a row.
    misses: u8,
    /// Since the last connection that was read at once.
    watched: u8,
}

impl FirstRead {
    /// Whether the next connection is read at once.
    pub(super) fn is_due(&mut self) -> bool {
        if self.misses < MISSES || self.watched >= WATCHED {
            self.watched = 0;
            return true;
        }
        self.watched += 1;
        false
    }

    /// Tells whether a connection that was read at once had a request.
    pub(super) fn note(&mut self, had_request: bool) {
        self.misses = if had_request { 0 } else { self.misses.saturating_add(1).min(MISSES) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_watched_after_many_misses_and_tried_again_later() {
        let mut first_read = FirstRead::default();
        for _ in 0..MISSES {
            assert!(first_read.is_due());
            first_read.note(false);
        }
        for _ in 0..WATCHED {
            assert!(!first_read.is_due());
        }
        assert!(first_read.is_due());
        first_read.note(false);
        assert!(!first_read.is_due(), "one more miss");
        for _ in 1..WATCHED {
            assert!(!first_read.is_due());
        }
        assert!(first_read.is_due());
        first_read.note(true);
        assert!(first_read.is_due(), "a hit");
    }
}
